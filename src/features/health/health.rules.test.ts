import { describe, expect, test } from 'vitest';
import {
  ageWords,
  clockWords,
  diskState,
  jobWords,
  lengthWords,
  outboxState,
  problemsOf,
  processState,
  queueState,
  sizeWords,
  storeState,
  type Facts,
} from './health.rules.ts';

type Process = Facts['processes'][number];

function processOf(changes: Partial<Process> = {}): Process {
  const startedAt = new Date('2026-11-20T10:00:00Z');
  return {
    id: changes.name ?? 'web 1',
    role: 'web',
    name: 'web 1',
    host: 'one',
    pid: 7,
    version: '1.0.0',
    nodeVersion: 'v24',
    startedAt,
    seenAt: startedAt,
    silentSeconds: 20,
    memoryBytes: 90_000_000,
    clockAheadMs: 3,
    ...changes,
  };
}
const worker = processOf({ name: 'worker', role: 'worker' });
const queue = {
  name: 'photo.ingest',
  waiting: 0,
  retrying: 0,
  waitingRetries: 0,
  later: 0,
  running: 0,
  oldestSeconds: null,
  failed: 0,
};
const outbox = { waiting: 0, later: 0, oldestSeconds: null, lateSeconds: null, failing: 0, givenUp: 0, held: 0 };
const store = { kind: 'disk', answers: true, hasSpace: true, latencyMs: 2 } as const;
const backup = { hoursAgo: 5, verifiedHoursAgo: null, error: null, isOurs: true, installedHoursAgo: 900 };
const disk = { freeBytes: 50e9, totalBytes: 100e9, minimumBytes: 5e9 };

const factsOf = (changes: Partial<Facts> = {}): Facts => ({
  processes: [processOf(), worker],
  queues: [queue],
  outbox,
  store,
  disk,
  backup,
  differences: 0,
  ...changes,
});
const titles = (changes: Partial<Facts>) => problemsOf(factsOf(changes)).map(({ tone, title }) => `${tone}: ${title}`);

describe('an installation', () => {
  test('that works well has no problem', () => {
    expect(problemsOf(factsOf())).toEqual([]);
  });

  test('that is busy has no problem: work that waits a moment, emails planned for later, a busy disk', () => {
    expect(
      titles({
        queues: [{ ...queue, waiting: 5_000, running: 2, oldestSeconds: 200 }],
        outbox: { ...outbox, waiting: 900, later: 4_000, oldestSeconds: 300, held: 3 },
        disk: { ...disk, freeBytes: 11e9 },
      }),
    ).toEqual([]);
  });

  test.each<[string, Partial<Facts>, string]>([
    ['no worker', { processes: [processOf()] }, 'danger: No worker is running'],
    [
      'a worker that hangs',
      { processes: [processOf(), { ...worker, silentSeconds: 200 }] },
      'danger: No worker is running',
    ],
    [
      'a lost web process',
      { processes: [worker, processOf({ silentSeconds: 200 })] },
      'warning: web 1 on one does not respond',
    ],
    [
      'two versions',
      { processes: [processOf(), { ...worker, version: '1.1.0' }] },
      'warning: Different versions are running: 1.0.0 and 1.1.0',
    ],
    [
      'a clock that is behind',
      { processes: [processOf({ clockAheadMs: -9_000 }), worker] },
      'warning: The clock of one differs from the database’s by 9 seconds',
    ],
    [
      'a clock that is far ahead',
      { processes: [processOf({ clockAheadMs: 600_000 }), worker] },
      'danger: The clock of one differs from the database’s by 600 seconds',
    ],
    ['a failed job', { queues: [{ ...queue, failed: 1 }] }, 'warning: 1 job was given up'],
    [
      'a slow queue',
      { queues: [{ ...queue, waiting: 1, oldestSeconds: 400 }] },
      'warning: Jobs are waiting too long: photo.ingest',
    ],
    [
      'a stuck queue',
      { queues: [{ ...queue, waiting: 1, oldestSeconds: 4_000 }] },
      'danger: Jobs are waiting too long: photo.ingest',
    ],
    ['a mail server that is away', { outbox: { ...outbox, failing: 3 } }, 'warning: 3 emails could not be sent yet'],
    [
      'emails that were given up',
      { outbox: { ...outbox, givenUp: 1 } },
      'warning: 1 email was given up after four days',
    ],
    ['emails that wait', { outbox: { ...outbox, oldestSeconds: 700 } }, 'danger: Emails are not being sent'],
    ['no store', { store: { ...store, answers: false } }, 'danger: The object store does not answer'],
    ['a full disk', { store: { ...store, hasSpace: false } }, 'danger: The disk of the photos is full'],
    [
      'a slow store',
      { store: { ...store, latencyMs: 1_500 } },
      'warning: The object store is slow: it took 1,500 milliseconds to answer',
    ],
    ['no backup', { backup: { ...backup, hoursAgo: null } }, 'warning: There is no backup'],
    ['a backup that was missed', { backup: { ...backup, hoursAgo: 37 } }, 'warning: The last backup is 37 hours old'],
    ['an old backup', { backup: { ...backup, hoursAgo: 100 } }, 'warning: The last backup is 4 days old'],
    ['a failed backup', { backup: { ...backup, error: 'No space left.' } }, 'warning: The last backup failed'],
    ['a disk that fills up', { disk: { ...disk, freeBytes: 8e9 } }, 'warning: The disk is nearly full'],
    ['whose books have a difference', { differences: 2 }, 'warning: The books have 2 open differences'],
  ])('with %s reports the problem and what to do', (_what, changes, title) => {
    const problems = problemsOf(factsOf(changes));
    expect(problems.map((problem) => `${problem.tone}: ${problem.title}`)).toContain(title);
    for (const { todo } of problems) expect(todo).toMatch(/\w{3,}.*[.]$/);
  });

  test('lists the worst first', () => {
    expect(titles({ queues: [{ ...queue, failed: 2 }], store: { ...store, answers: false } })).toEqual([
      'danger: The object store does not answer',
      'warning: 2 jobs were given up',
    ]);
  });
});

describe('a process', () => {
  const later = processOf({ id: 'new', startedAt: new Date('2026-11-20T11:00:00Z') } as Partial<Process>);
  const lost = processOf({ id: 'old', silentSeconds: 300 });

  test('that was restarted is no problem', () => {
    expect(processState(lost, [lost, later])).toEqual({ tone: 'neutral', word: 'Ended, restarted' });
    expect(titles({ processes: [worker, lost, later] })).toEqual([]);
  });

  test('of another machine does not replace a lost one', () => {
    expect(processState(lost, [lost, { ...later, host: 'two' }])).toEqual({ tone: 'warning', word: 'Not responding' });
  });

  test('that ended long ago is not reported', () => {
    const gone = { ...lost, silentSeconds: 4_000 };
    expect(processState(gone, [gone])).toEqual({ tone: 'neutral', word: 'Not responding' });
    expect(titles({ processes: [worker, gone, processOf({ name: 'web 2' })] })).toEqual([]);
  });

  test('may miss two heartbeats', () => {
    expect(processState(processOf({ silentSeconds: 149 }), [])).toEqual({ tone: 'ok', word: 'Running' });
    expect(processState(processOf({ clockAheadMs: 6_000 }), [])).toEqual({ tone: 'warning', word: 'Clock is off' });
  });
});

test('a new installation, or one whose database has backups of its own, is not warned about backups', () => {
  const none = { ...backup, hoursAgo: null };
  expect(titles({ backup: { ...none, installedHoursAgo: 3 } })).toEqual([]);
  expect(titles({ backup: { ...none, isOurs: false } })).toEqual([]);
  expect(titles({ backup: { ...backup, hoursAgo: 100, isOurs: false } })).toHaveLength(1);
});

test('states are words', () => {
  expect(queueState({ ...queue, retrying: 1 }).word).toBe('Retrying');
  expect(queueState({ ...queue, failed: 1 }).word).toBe('Some failed');
  expect(queueState(queue)).toEqual({ tone: 'ok', word: 'OK' });
  expect(outboxState({ ...outbox, failing: 1 }).word).toBe('Some failed');
  expect(storeState({ ...store, latencyMs: 1_001 }).word).toBe('Slow');
  expect(diskState({ ...disk, freeBytes: 4e9 }).word).toBe('Full');
  expect(diskState({ ...disk, minimumBytes: null })).toEqual({ tone: 'ok', word: 'OK' });
});

test('the age of a backup is in hours for two days, and never "1 day" when it is old', () => {
  expect([0.02, 0.5, 1, 35.9, 37, 47.9, 48, 100].map(ageWords)).toEqual([
    '1 minute',
    '30 minutes',
    '1 hour',
    '35 hours',
    '37 hours',
    '47 hours',
    '2 days',
    '4 days',
  ]);
});

test('lengths, sizes and names of jobs are written for people', () => {
  expect([0, 59.9, 60, 3_599, 7_200, 90_000].map(lengthWords)).toEqual([
    '0 seconds',
    '59 seconds',
    '1 minute',
    '59 minutes',
    '2 hours',
    '1 day',
  ]);
  expect([-999, 1_000, 10_799_700, -10_800_200].map(clockWords)).toEqual([
    'correct',
    '1 second ahead',
    '3 hours ahead',
    '3 hours behind',
  ]);
  expect([0, 999, 1_500, 87_000_000, 999_600_000, 1.25e12].map(sizeWords)).toEqual([
    '0 bytes',
    '999 bytes',
    '1.5 kB',
    '87 MB',
    '1.0 GB',
    '1.3 TB',
  ]);
  expect(['photo.ingest', 'webhook.catch_up', 'dead'].map(jobWords)).toEqual([
    'Photo: ingest',
    'Webhook: catch up',
    'Dead',
  ]);
});
