import { beforeEach, expect, test } from 'vitest';
import { watchLag } from '#src/platform/processes/lag.ts';

let worked: number;
let logged: string[];
let lag: ReturnType<typeof watchLag>;

beforeEach(() => {
  worked = 0;
  logged = [];
  const note = (...words: unknown[]) => void logged.push(String(words.at(-1)));
  lag = watchLag({ log: { warn: note, info: note }, worked: () => worked });
});

/** Whether the process lags after each of these turns of its event loop, in milliseconds, in which it worked all the time. */
const after = (...turns: number[]) => afterTurns(turns, 1);
const afterTurns = (turns: number[], share: number) =>
  turns.map((ms) => {
    worked += ms * share;
    expect(lag.onTurn(ms)).toBe(lag.isLagging());
    return lag.isLagging();
  });

test('a process lags from its second long turn in a row on, until a second passed without one', () => {
  expect(after(500, 1_200, 1_100, 1_500, 500, 500, 500)).toEqual([false, false, true, true, true, false, false]);
  expect(logged).toEqual([
    'the process lags: requests are refused',
    'the process no longer lags: requests are served again',
  ]);
});

test('a single long turn of any length does not count, nor does one now and then', () => {
  expect(after(30_000, 500, 3_000, 500, 1_500, 900)).not.toContain(true);
  expect(logged).toEqual([]);
});

test('a long turn in which others had the processors does not count', () => {
  expect(afterTurns([1_200, 1_200, 1_200, 4_000], 0.1)).not.toContain(true);
  expect(afterTurns([4_000, 4_000], 0.2)).toEqual([false, true]);
});

test('it stays refused while every other turn is long', () => {
  expect(after(1_200, 1_200, 500, 1_200, 500, 1_200, 500, 500)).toEqual([
    false,
    true,
    true,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test('turns of less than half a second are added up', () => {
  expect(after(100, 1_200, 100, 100, 100, 100, 100, 1_200)).not.toContain(true);
  expect(after(1_200, 1_200)).toEqual([true, true]);
  expect(after(...Array.from({ length: 10 }, () => 100))).toEqual([...Array.from({ length: 9 }, () => true), false]);
});
