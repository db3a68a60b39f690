import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { batchLoader } from '#src/platform/db/batch-loader.ts';

/** Answers on demand, and records its requests. */
function slowBooks() {
  const statements: { asked: readonly number[]; answer: () => void }[] = [];
  const ask = (asked: readonly number[]) =>
    new Promise<string[]>((resolve) => {
      statements.push({ asked, answer: () => resolve(asked.map((question) => `answer ${question}`)) });
    });
  return { ask, statements };
}

const aTurn = () => new Promise((resolve) => setImmediate(resolve));

describe('queries at the same moment', () => {
  it('run in one statement, and each gets its own result', async () => {
    const { ask, statements } = slowBooks();
    const one = batchLoader(ask);
    const answers = Promise.all([one(7), one(8), one(7)]);
    await aTurn();
    expect(statements.map(({ asked }) => asked)).toEqual([[7, 8, 7]]);
    statements[0]?.answer();
    expect(await answers).toEqual(['answer 7', 'answer 8', 'answer 7']);
  });

  it('that come later never get the result of a running statement, and do not wait for it', async () => {
    const { ask, statements } = slowBooks();
    const one = batchLoader(ask, { waitMs: 5 });
    void one(1);
    await aTurn();
    const [later, alike] = [one(1), one(2)];
    await expect.poll(() => statements.length).toBe(2);
    expect(statements[1]?.asked).toEqual([1, 2]);
    statements[1]?.answer();
    expect(await Promise.all([later, alike])).toEqual(['answer 1', 'answer 2']);
  });

  it('use several statements if they are too many for one', async () => {
    const asked: number[] = [];
    const one = batchLoader(
      async (questions: readonly number[]) => {
        asked.push(questions.length);
        return questions.map((question) => question * 2);
      },
      { atMost: 4 },
    );
    expect(await Promise.all([1, 2, 3, 4, 5, 6].map(one))).toEqual([2, 4, 6, 8, 10, 12]);
    expect(asked).toEqual([4, 2]);
  });

  it('fail together, and the next ones run again', async () => {
    let isAway = true;
    const one = batchLoader(
      async (questions: readonly number[]) => {
        if (isAway) throw new Error('away');
        return questions;
      },
      { waitMs: 1 },
    );
    const failed = await Promise.allSettled([one(1), one(2)]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    isAway = false;
    await pause(2);
    expect(await one(3)).toBe(3);
  });
});
