import { expect, test, vi } from 'vitest';
import { databaseUnavailable } from '#src/platform/db/connection-faults.ts';
import { whenDatabaseAnswers } from '#src/platform/processes/child.ts';

const log = { warn: () => undefined };

test('a start waits for a database that is unreachable or slow, and for nothing else', async () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  const work = vi.fn<() => Promise<string>>();
  work.mockRejectedValueOnce(refused).mockRejectedValueOnce(databaseUnavailable(refused)).mockResolvedValue('done');
  await expect(whenDatabaseAnswers(log, work)).resolves.toBe('done');
  const broken = vi.fn<() => Promise<string>>().mockRejectedValue(new Error('column "x" does not exist'));
  await expect(whenDatabaseAnswers(log, broken)).rejects.toThrow('column');
  expect([work.mock.calls.length, broken.mock.calls.length]).toEqual([3, 1]);
});
