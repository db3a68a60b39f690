/** The files for operators name metrics that really exist: dashboard, alert rules, and the page of each alert. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { sendResetJob } from '#src/features/sign-in/passwords.jobs.ts';
import { createMetrics } from '#src/platform/metrics.ts';
import { watchState } from '#src/platform/telemetry/state-metrics.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { settleNeighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const ROOT = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(ROOT, file), 'utf8');
const RULES = read('deploy/observability/prometheus-rules.yml');
const DASHBOARD = read('deploy/observability/grafana-dashboard.json');
const OPERATIONS = read('docs/operations.md');

const server = useTestServer({ metrics: true });
let text: string;
beforeAll(async () => {
  const people = await settleNeighborhood(server);
  await buyPhotos(server, [await openSale(server, people.tokens.owner, people.hawks.id)]);
  text = await server.metricsText();
});

type Panel = { type: string; title: string; targets?: { expr: string }[] };
const panels = (JSON.parse(DASHBOARD) as { panels: Panel[] }).panels;
const ofDashboard = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const ofRules = [...RULES.matchAll(/expr: >-\n {10}(.+)/g)].map(([, expr = '']) => expr);
const expressions = [...ofDashboard, ...ofRules];

/** The type of each metric, and the labels that its numbers have. */
function exposed(): Map<string, { type: string; labels: Set<string> }> {
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
  return new Map(
    types.map(([, name = '', type = '']) => {
      const lines = [...text.matchAll(new RegExp(`^${name}(?:_bucket|_sum|_count)?\\{(.*)\\} `, 'gm'))];
      const labels = lines.flatMap(([, given = '']) => [...given.matchAll(/(\w+)="/g)].map(([, label = '']) => label));
      return [name, { type, labels: new Set(labels) }];
    }),
  );
}

const METRIC = /\b((?:sideline|process|nodejs)_\w+)(?:\{([^}]*)\})?/g;

test('there are expressions to check', () => {
  expect(ofRules).toHaveLength(RULES.match(/- alert:/g)?.length ?? 0);
  expect(ofRules.length).toBeGreaterThan(20);
  expect(panels.every(({ type, targets = [] }) => type === 'row' || targets.length > 0)).toBe(true);
  expect(ofDashboard.length).toBeGreaterThan(35);
});

test.each(expressions)('%s queries existing metrics, by existing labels', (expression) => {
  const metrics = exposed();
  const found = [...expression.matchAll(METRIC)];
  for (const [, asked = '', matchers = ''] of found) {
    const name = metrics.has(asked) ? asked : asked.replace(/_(?:bucket|sum|count)$/, '');
    const metric = metrics.get(name);
    expect(metric, asked).toBeDefined();
    if (asked !== name) expect(metric?.type, asked).toBe('histogram');
    if (asked.endsWith('_total')) expect(metric?.type, asked).toBe('counter');
    if (!metric || metric.labels.size === 0) continue;
    const labels = [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label);
    // Prometheus adds `job` and `instance`.
    for (const label of labels) expect(['job', 'instance', ...metric.labels], asked).toContain(label);
  }
  if (!expression.startsWith('up{')) expect(found.length).toBeGreaterThan(0);
});

test('no metric has a label that Prometheus gives to what it scrapes: it would rename ours', async () => {
  const metrics = createMetrics({ processName: 'worker' });
  metrics.observeJob({ job: 'photo.ingest', outcome: 'done', ms: 1, waitedMs: 1, lagMs: 1 });
  metrics.observeJob({ job: 'photo.ingest', outcome: 'dead', ms: 0, waitedMs: 0 });
  const ofJobs = await metrics.text();
  expect(ofJobs).toMatch(/^sideline_jobs_given_up_total\{.*\} 1$/m);
  expect(`${text}\n${ofJobs}`.match(/^\w+\{(?:.*,)?(?:job|instance)=.*$/gm)).toBeNull();
});

test('each alert has its page, and each page its alert', () => {
  const alerts = [...RULES.matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
  const pages = [...OPERATIONS.matchAll(/^### (Sideline\w+)\n+(.+)/gm)].map(([, name]) => name);
  expect(pages.toSorted()).toEqual(alerts.toSorted());
  const links = [...RULES.matchAll(/runbook_url: 'docs\/operations\.md#(\w+)'/g)].map(([, anchor]) => anchor);
  expect(links).toEqual(alerts.map((name) => name?.toLowerCase()));
});

test('each metric of the product is in the list for operators', () => {
  const named = [...exposed().keys()].filter((name) => name.startsWith('sideline_'));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !OPERATIONS.includes(`\`${name}\``))).toEqual([]);
});

test('an event loop that a request blocks for half a second is above the limit of its alert', async () => {
  const limit = Number(/nodejs_eventloop_lag_p99_seconds.* > ([\d.]+)$/m.exec(RULES)?.[1]);
  const metrics = createMetrics();
  const delayAfter = async (blockedMs: number) => {
    metrics.countOpen(1);
    for (const end = performance.now() + blockedMs; performance.now() < end;);
    metrics.countOpen(-1);
    // The timer that is late fires first.
    await sleep(1);
    return Number(/^nodejs_eventloop_lag_p99_seconds\{.*\} (.+)$/m.exec(await metrics.text())?.[1]);
  };
  expect(limit).toBeGreaterThan(0);
  expect(await delayAfter(limit * 1_000 + 150)).toBeGreaterThan(limit);
  // Other work on the machine may delay one of them.
  const short = [await delayAfter(50), await delayAfter(50), await delayAfter(50)];
  expect(Math.min(...short)).toBeLessThan(limit);
});

test('a checkout is counted by its outcome, its card call and its route', () => {
  for (const start of [
    'sideline_checkouts_total{outcome="paid",process="test"} 1',
    'sideline_checkouts_total{outcome="declined",process="test"} 0',
    'sideline_call_seconds_count{process="test",system="cards",call="charge",outcome="succeeded"} 1',
    'sideline_http_seconds_count{process="test",method="POST",route="/api/v1/orders",status="2xx"} 1',
  ])
    expect(text.split('\n')).toContain(start);
});

describe('what waits', () => {
  /** As reported by a process that has just started. */
  async function numbers(): Promise<Map<string, number>> {
    const metrics = createMetrics({ processName: 'web 1' });
    watchState(metrics, server.platform, async () => 0);
    const lines = (await metrics.text()).matchAll(/^(sideline_\w+)\{((?:(?!process=)\w+="[^"]*",?)*).*\} (\S+)$/gm);
    return new Map(
      [...lines].map(([, name = '', labels = '', value]) => [
        `${name} ${labels}`.replace(/,$/, '').trim(),
        Number(value),
      ]),
    );
  }

  test('is reported with its age: jobs by queue, emails by state, payments, backups', async () => {
    await server.platform.database.write({ kind: 'system', why: 'test' }, async (tx) => {
      await server.platform.jobs.enqueueMany(tx, sendResetJob, [
        { email: 'one@example.org', sends: true },
        { email: 'two@example.org', sends: true },
      ]);
    });
    await server.data.ownerQuery(
      `update pgboss.job set start_after = now() - interval '90 seconds' where name = 'password.reset'`,
    );
    await server.data.ownerQuery('delete from mail_outbox');
    await server.data.ownerQuery(`
      insert into mail_outbox (dedupe_key, recipient, subject, html, body_text, created_at, due_at, last_error, failed_at)
      values ('a', 'a@example.org', '', '', '', now() - interval '100 seconds', now(), null, null),
             ('b', 'b@example.org', '', '', '', now() - interval '300 seconds', now() + interval '1 hour', '421 down', now()),
             ('c', 'c@example.org', '', '', '', now() - interval '5 days', 'infinity', '550 no', now()),
             ('d', 'd@example.org', '', '', '', now() - interval '900 seconds', now() + interval '1 hour', null, null),
             ('discarded', 'e@example.org', '', '', '', now() - interval '9 days', 'infinity', '550 no', null)`);
    await server.data.ownerQuery(`
      insert into backups (kind, started_at, finished_at, error)
      values ('folder', now(), now() - interval '2 hours', null), ('folder', now(), now(), 'no space'), ('verify', now(), now() - interval '1 day', null)`);
    const told = await numbers();
    expect(told.get('sideline_queue_jobs queue="password.reset",state="new"')).toBe(2);
    expect(told.get('sideline_queue_oldest_seconds queue="password.reset"')).toBeCloseTo(90, -1.5);
    expect(told.get('sideline_mail_emails state="waiting"')).toBe(2);
    expect(told.get('sideline_mail_emails state="failing"')).toBe(1);
    expect(told.get('sideline_mail_emails state="given_up"')).toBe(1);
    expect(told.get('sideline_mail_oldest_seconds')).toBeCloseTo(300, -1.5);
    expect(told.get('sideline_payments_undecided_seconds')).toBe(0);
    expect(told.get('sideline_backup_age_seconds kind="folder"')).toBeCloseTo(7_200, -1.5);
    expect(told.get('sideline_backup_age_seconds kind="verify"')).toBeCloseTo(86_400, -1.5);
    expect(told.get('sideline_database_up')).toBe(1);
    expect(told.get('sideline_store_up')).toBe(1);
    expect(told.get('sideline_disk_free_bytes')).toBeGreaterThan(0);
  });

  test('is left out while the database is unreachable, which is reported', async () => {
    const metrics = createMetrics({ processName: 'web 1' });
    const away = () => Promise.reject(new Error('away'));
    watchState(
      metrics,
      { ...server.platform, database: { ...server.platform.database, check: away, read: away } },
      away,
    );
    const said = await metrics.text();
    expect(said).toContain('sideline_database_up{process="web 1"} 0');
    expect(said).not.toContain('sideline_mail_oldest_seconds{');
  });
});
