import { expect, test } from 'vitest';
import { createAnswerCache } from '#src/shared/answer-cache.ts';

function askedAnswers(isWorthIt?: (answer: number) => boolean) {
  const asked: string[] = [];
  let nowMs = 0;
  const kept = createAnswerCache<number>({
    keptMs: 1_000,
    atMost: 2,
    now: () => new Date(nowMs),
    ...(isWorthIt && { isWorthIt }),
  });
  const ask = (key: string, answer = 1) =>
    kept(key, async () => {
      asked.push(key);
      if (answer < 0) throw new Error('no answer');
      return answer;
    });
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { ask, asked, pass };
}

test('an answer is computed once, also for concurrent callers, until it expires', async () => {
  const { ask, asked, pass } = askedAnswers();
  await Promise.all([ask('a', 5), ask('a', 6)]);
  expect(await ask('a', 7)).toBe(5);
  pass(1_000);
  expect(await ask('a', 8)).toBe(8);
  expect(asked).toEqual(['a', 'a']);
});

test('the latest two are cached', async () => {
  const { ask, asked } = askedAnswers();
  for (const key of ['a', 'b', 'c', 'c', 'a']) await ask(key);
  expect(asked).toEqual(['a', 'b', 'c', 'a']);
});

test('neither failures nor cheap answers are cached', async () => {
  const { ask, asked } = askedAnswers((answer) => answer > 10);
  await expect(ask('a', -1)).rejects.toThrow('no answer');
  await ask('a', 1);
  await ask('a', 11);
  await ask('a', 12);
  expect(asked).toEqual(['a', 'a', 'a']);
});
