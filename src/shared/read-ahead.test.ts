import { expect, test } from 'vitest';
import { readAhead } from '#src/shared/read-ahead.ts';

/** Reads that end when they are told to. */
function source() {
  const open = new Map<number, { resolve(value: string): void; reject(error: Error): void }>();
  const asked: number[] = [];
  return {
    asked,
    read: (task: number) => {
      asked.push(task);
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      open.set(task, { resolve, reject });
      return promise;
    },
    end: (task: number) => open.get(task)?.resolve(`read ${task}`),
    fail: (task: number) => open.get(task)?.reject(new Error(`failed ${task}`)),
  };
}

test('results come in the order of the tasks, whichever is read first', async () => {
  const { read, end } = source();
  const results = readAhead([1, 2, 3], 2, read);
  const first = results.next();
  end(2);
  end(1);
  expect((await first).value).toBe('read 1');
  expect((await results.next()).value).toBe('read 2');
  end(3);
  expect((await results.next()).value).toBe('read 3');
  expect((await results.next()).done).toBe(true);
});

test('a limited number is read at a time, and none while no one reads the results', async () => {
  const { read, end, asked } = source();
  const results = readAhead([1, 2, 3, 4, 5], 2, read);
  const first = results.next();
  expect(asked).toEqual([1, 2]);
  end(1);
  end(2);
  await first;
  expect(asked).toEqual([1, 2, 3]);
  await results.return(undefined);
  expect(asked).toEqual([1, 2, 3]);
});

test('a failure is reported at its position, and ends the reading', async () => {
  const { read, end, fail, asked } = source();
  const results = readAhead([1, 2, 3, 4], 2, read);
  const first = results.next();
  fail(2);
  end(1);
  expect((await first).value).toBe('read 1');
  await expect(results.next()).rejects.toThrow('failed 2');
  expect((await results.next()).done).toBe(true);
  expect(asked).toEqual([1, 2, 3]);
});

test('an empty list reads nothing', async () => {
  const { read, asked } = source();
  expect((await readAhead([], 3, read).next()).done).toBe(true);
  expect(asked).toEqual([]);
});
