/** Health over HTTP and on its page: who may read and act, what is shown, hidden and logged. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHOOSE_ONE_WAY, CHOOSE_SOME, NOT_A_JOB } from '#src/features/health/health.contract.ts';
import { installJobSchema } from '#src/platform/jobs/job-schema.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { callerOf } from '#tests/support/payer.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer();
let people: Neighborhood;
let admin: Awaited<ReturnType<typeof callerOf>>;

beforeAll(async () => {
  await installJobSchema(server.data.ownerUrl);
  people = await settleNeighborhood(server);
  admin = await callerOf(server, people.tokens.admin);
});
beforeEach(async () => {
  await server.data.ownerQuery('delete from pgboss.job_common');
  await server.data.ownerQuery('delete from mail_outbox');
  await server.data.ownerQuery('delete from processes');
});

/** A failed job, as pg-boss leaves it in the dead letter queue. */
async function giveUp(job: string, payload: object, message: string): Promise<string> {
  const id = randomUUID();
  await server.data.ownerQuery(
    `insert into pgboss.job_common (id, name, data, state, completed_on, policy, source_name, source_id, source_created_on,
                                    source_retry_count, source_output, singleton_key)
     values ($1::uuid, 'dead', $2, 'completed', now(), 'standard', $3, gen_random_uuid(), now(), 3, $4, $1::uuid::text)`,
    [id, JSON.stringify(payload), job, JSON.stringify({ message, stack: 'at secret.ts' })],
  );
  return id;
}

async function failEmail(subject = 'Your photos'): Promise<number> {
  const [row] = await server.data.ownerQuery<{ id: number }>(
    `insert into mail_outbox (dedupe_key, recipient, subject, html, body_text, attempts, last_error, failed_at, due_at)
     values (gen_random_uuid()::text, 'rosa.lopez@example.com', $1, '', '', 2, '550 rosa.lopez@example.com is unknown', now(),
             now() + interval '1 hour') returning id`,
    [subject],
  );
  return row?.id ?? 0;
}

const post = (path: string, payload: object, as: string | null = people.tokens.admin) =>
  server.call({ method: 'POST', url: `/api/v1/${path}`, as, payload });
const noted = () =>
  server.data.ownerQuery<{ action: string; object_type: string; object_id: string; details: object }>(
    `select action, object_type, object_id, details from audit_log where action ~ '^(job|email)[.]' order by id`,
  );

describe('the overview', () => {
  test('shows processes, queues, mail, store, disk and versions', async () => {
    await server.data.ownerQuery(
      `insert into processes (id, role, name, host, pid, version, node_version, memory_bytes, clock_ahead_ms)
       values (gen_random_uuid(), 'worker', 'worker', 'one', 7, '1.0.0', 'v24', 90000000, 4)`,
    );
    const found = await server.app.health.overview(admin);
    expect(found.processes).toMatchObject([{ name: 'worker', host: 'one', memoryBytes: 90_000_000 }]);
    expect(found.queues.map(({ name }) => name)).toContain('photo.ingest');
    expect(found.outbox).toMatchObject({ waiting: 0, oldestSeconds: null });
    expect(found.store).toMatchObject({ kind: 'disk', answers: true, hasSpace: true });
    expect(found.disk?.freeBytes).toBeGreaterThan(0);
    expect(found.database).toMatchObject({ postgres: expect.stringMatching(/^\d+/), isEmbedded: true });
    expect(found.database.migration).toMatch(/^\d{4}_/);
    expect(found.problems).toEqual([]);
    expect(found.backup).toMatchObject({ hoursAgo: null, verifiedHoursAgo: null, error: null, isOurs: true });
  });

  test('shows the age of the last backup, and why the newest one failed', async () => {
    const note = (kind: string, hours: number, error: string | null) =>
      server.data.ownerQuery(
        `insert into backups (kind, started_at, finished_at, error) values ($1, now(), now() - make_interval(hours => $2), $3)`,
        [kind, hours, error],
      );
    await note('file', 30, null);
    await note('folder', 20, null);
    await note('verify', 10, null);
    await note('folder', 0, 'cannot reach postgres://me:secret@db.example/sideline');
    const { backup, problems } = await server.app.health.overview(admin);
    await server.data.ownerQuery('delete from backups');
    expect([Math.round(backup.hoursAgo ?? 0), Math.round(backup.verifiedHoursAgo ?? 0)]).toEqual([20, 10]);
    expect(problems.map(({ title }) => title)).toContain('The last backup failed');
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  test('lists what is wrong', async () => {
    await giveUp('photo.turn', { photoId: 12 }, 'it broke');
    await failEmail();
    const { problems, counts } = await server.app.health.overview(admin);
    expect(problems.map(({ title }) => title)).toEqual([
      'No worker is running',
      '1 job was given up',
      '1 email could not be sent yet',
    ]);
    expect(counts).toEqual({ jobs: 1, emails: 1 });
  });

  test.each(['owner', 'parentMember', 'neighbor'] as const)('is not for %s', async (who) => {
    const caller = await callerOf(server, people.tokens[who]);
    const refused = { code: 'forbidden' };
    await expect(server.app.health.overview(caller)).rejects.toMatchObject(refused);
    await expect(server.app.health.failedJobs(caller, { job: null, after: null })).rejects.toMatchObject(refused);
    await expect(server.app.health.failedEmails(caller, { after: null })).rejects.toMatchObject(refused);
  });
});

describe('failed jobs and emails', () => {
  test('are shown without secrets, and without people’s names', async () => {
    await giveUp(
      'password.reset',
      { email: 'rosa.lopez@example.com', sends: true },
      'no mail for rosa.lopez@example.com',
    );
    await giveUp('order.recover', { idempotencyKey: randomUUID() }, 'GET https://pay.example/x?key=sk_live_1 failed');
    await failEmail();
    const jobs = await server.app.health.failedJobs(admin, { job: null, after: null });
    const emails = await server.app.health.failedEmails(admin, { after: null });
    expect(jobs.jobs).toHaveLength(2);
    expect(emails.emails).toMatchObject([{ recipient: 'r…@example.com', subject: 'Your photos', attempts: 2 }]);
    const shown = JSON.stringify([jobs, emails]);
    for (const secret of ['rosa', 'lopez', 'sk_live', 'secret.ts', 'idempotencyKey'])
      expect(shown).not.toContain(secret);
  });

  test('are paged by key and filtered by queue; an invalid position is refused', async () => {
    for (let number = 1; number <= 30; number++) await giveUp('photo.turn', { photoId: number }, 'it broke');
    await giveUp('cdn.purge', {}, 'it broke');
    const list = (job: string | null, after: string | null) => server.app.health.failedJobs(admin, { job, after });
    const first = await list('photo.turn', null);
    const second = await list('photo.turn', first.next);
    expect([first.jobs.length, second.jobs.length, second.next]).toEqual([25, 5, null]);
    expect(new Set([...first.jobs, ...second.jobs].map(({ subject }) => subject)).size).toBe(30);
    expect(first.queues).toEqual([
      { name: 'cdn.purge', failed: 1 },
      { name: 'photo.turn', failed: 30 },
    ]);
    for (const odd of ['x', 'WyJub3ciLCIxIl0', btoa(JSON.stringify(['2026-01-01 infinity epoch', randomUUID()]))])
      await expect(list(null, odd)).rejects.toMatchObject({ code: 'invalid' });
  });

  test('that were handled show what happened to them', async () => {
    await giveUp('photo.ingest', { photoId: 12 }, 'too much memory');
    await giveUp('no.longer', { photoId: 12 }, 'it broke');
    const { jobs } = await server.app.health.failedJobs(admin, { job: null, after: null });
    expect(Object.fromEntries(jobs.map(({ job, when_given_up: words }) => [job, words]))).toEqual({
      'photo.ingest': expect.stringContaining('marked as failed'),
      'no.longer': expect.stringContaining('only be discarded'),
    });
  });
});

describe('retrying and discarding', () => {
  test('puts a job back in its queue once, and logs who did it', async () => {
    const id = await giveUp('cdn.purge', { tags: ['photo-1'] }, 'it broke');
    const answers = await Promise.all([1, 2, 3].map(() => post('failed_jobs/retry', { ids: [id] })));
    expect(answers.map((answer) => answer.statusCode)).toEqual([200, 200, 200]);
    expect(answers.reduce((sum, answer) => sum + answer.json<{ count: number }>().count, 0)).toBe(1);
    expect(await server.data.ownerQuery(`select name, state::text, data, retry_count from pgboss.job_common`)).toEqual([
      { name: 'cdn.purge', state: 'created', data: { tags: ['photo-1'] }, retry_count: 0 },
    ]);
    expect((await noted()).at(-1)).toMatchObject({
      action: 'job.retried',
      object_type: 'job',
      details: { job: 'cdn.purge' },
    });
  });

  test('leaves jobs that are handled, or of another version, to be discarded', async () => {
    const ids = [await giveUp('photo.ingest', { photoId: 1 }, 'x'), await giveUp('no.longer', {}, 'x')];
    expect((await post('failed_jobs/retry', { ids })).json()).toEqual({ count: 0 });
    expect((await post('failed_jobs/discard', { all: true })).json()).toEqual({ count: 2 });
    expect(await server.data.ownerQuery('select 1 from pgboss.job_common')).toEqual([]);
    expect((await noted()).slice(-2).map(({ action }) => action)).toEqual(['job.discarded', 'job.discarded']);
  });

  test('affects all of one queue and no others', async () => {
    for (const job of ['cdn.purge', 'cdn.purge', 'photos.remark']) await giveUp(job, {}, 'x');
    expect((await post('failed_jobs/discard', { job: 'cdn.purge' })).json()).toEqual({ count: 2 });
    const { jobs } = await server.app.health.failedJobs(admin, { job: null, after: null });
    expect(jobs.map(({ job }) => job)).toEqual(['photos.remark']);
  });

  test('sends an email again shortly, or never, and logs it without an address', async () => {
    const [again, never] = [await failEmail(), await failEmail()];
    expect((await post('failed_emails/retry', { ids: [again] })).json()).toEqual({ count: 1 });
    expect((await post('failed_emails/retry', { ids: [again] })).json()).toEqual({ count: 0 });
    expect((await post('failed_emails/discard', { all: true })).json()).toEqual({ count: 1 });
    expect(await server.data.ownerQuery(`select id, due_at <= now() as due from mail_outbox order by id`)).toEqual([
      { id: again, due: true },
      { id: never, due: false },
    ]);
    const lines = (await noted()).slice(-2);
    expect(lines.map(({ action, object_id: id }) => [action, id])).toEqual([
      ['email.retried', String(again)],
      ['email.discarded', String(never)],
    ]);
    expect(JSON.stringify(lines)).not.toContain('@');
  });

  test.each(['failed_jobs/retry', 'failed_jobs/discard', 'failed_emails/retry', 'failed_emails/discard'])(
    '%s is for platform admins only',
    async (path) => {
      await giveUp('cdn.purge', {}, 'x');
      await failEmail();
      expect((await post(path, { all: true }, null)).statusCode).toBe(401);
      for (const who of ['owner', 'parentMember', 'neighbor', 'foreigner'] as const)
        expect((await post(path, { all: true }, people.tokens[who])).statusCode).toBe(403);
      const { counts } = await server.app.health.overview(admin);
      expect(counts).toEqual({ jobs: 1, emails: 1 });
    },
  );

  test.each([
    ['failed_jobs/retry', {}, CHOOSE_ONE_WAY],
    ['failed_jobs/retry', { ids: [] }, CHOOSE_SOME],
    ['failed_jobs/retry', { ids: ['1; drop'] }, NOT_A_JOB],
    ['failed_jobs/discard', { ids: [randomUUID()], all: true }, CHOOSE_ONE_WAY],
    ['failed_jobs/discard', { ids: Array.from({ length: 101 }, randomUUID) }, CHOOSE_SOME],
    ['failed_emails/retry', {}, CHOOSE_ONE_WAY],
    ['failed_emails/retry', { ids: Array.from({ length: 101 }, (_, id) => id + 1) }, CHOOSE_SOME],
    ['failed_emails/discard', { ids: [1], all: true }, CHOOSE_ONE_WAY],
  ])('%s refuses a body that selects nothing, too much, or in two ways (%#)', async (path, body, message) => {
    const answer = await post(path, body);
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain(message);
  });
});
