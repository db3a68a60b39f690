import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createMetrics, mergeMetrics } from './metrics.ts';

test('metrics report responses, jobs and pools of this process', async () => {
  let waiting = 0;
  const metrics = createMetrics({ processName: 'web 1' });
  metrics.watchPool('main', () => ({ total: 5, idle: 2, waiting, most: 10 }));
  metrics.observeAnswer({ method: 'GET', route: '/api/v1/galleries/:id/full', status: 200, ms: 4 });
  metrics.observeAnswer({ method: 'GET', route: '/api/v1/galleries/:id/full', status: 204, ms: 40 });
  metrics.observeAnswer({ method: 'BREW', route: 'unknown', status: 404, ms: 1 });
  metrics.observeJob({ job: 'mail.send', outcome: 'done', ms: 120, waitedMs: 30, lagMs: 4_000 });
  metrics.observeJob({ job: 'mail.send', outcome: 'dead', ms: 0, waitedMs: 0 });
  waiting = 7;
  const lines = (await metrics.text()).split('\n');
  for (const line of [
    'sideline_http_seconds_bucket{le="0.005",process="web 1",method="GET",route="/api/v1/galleries/:id/full",status="2xx"} 1',
    'sideline_http_seconds_count{process="web 1",method="GET",route="/api/v1/galleries/:id/full",status="2xx"} 2',
    'sideline_http_seconds_count{process="web 1",method="other",route="unknown",status="4xx"} 1',
    'sideline_job_seconds_sum{process="web 1",work="mail.send",outcome="done"} 0.12',
    'sideline_job_wait_seconds_sum{process="web 1",work="mail.send"} 0.03',
    'sideline_jobs_given_up_total{work="mail.send",process="web 1"} 1',
    'sideline_pool_sessions{pool="main",state="busy",process="web 1"} 3',
    'sideline_pool_sessions{pool="main",state="waiting",process="web 1"} 7',
    'sideline_pool_limit{pool="main",process="web 1"} 10',
    'sideline_job_lag_seconds_sum{process="web 1",work="mail.send"} 4',
  ])
    expect(lines).toContain(line);
});

test('two sets of metrics do not mix', async () => {
  const [one, two] = [createMetrics({ processName: 'one' }), createMetrics({ processName: 'two' })];
  one.observeAnswer({ method: 'GET', route: '/', status: 200, ms: 1 });
  expect(await one.text()).toContain('sideline_http_seconds_count{');
  expect(await two.text()).not.toContain('sideline_http_seconds_count{');
});

test('the texts of several processes are merged, with each metric once', async () => {
  const texts = ['web 1', 'worker'].map((processName) => {
    const metrics = createMetrics({ processName });
    metrics.observeAnswer({ method: 'GET', route: '/', status: 200, ms: 1 });
    return metrics.text();
  });
  const lines = mergeMetrics(await Promise.all(texts)).split('\n');
  expect(lines.filter((line) => line === '# TYPE sideline_http_seconds histogram')).toHaveLength(1);
  const counts = lines.filter((line) => line.startsWith('sideline_http_seconds_count{'));
  expect(counts).toHaveLength(2);
  const first = lines.indexOf('# TYPE sideline_http_seconds histogram');
  const last = lines.findIndex((line, index) => index > first && line === '');
  expect(counts.every((line) => lines.indexOf(line) > first && lines.indexOf(line) < last)).toBe(true);
});

test('numbers that cannot be read are left out, and so are their old values', async () => {
  const metrics = createMetrics();
  let read = async () => [{ value: 3, labels: { queue: 'mail' } }];
  metrics.watchNumbers({ name: 'sideline_test', help: 'A test.', labelNames: ['queue'], read: () => read() });
  expect(await metrics.text()).toContain('sideline_test{queue="mail",');
  read = () => Promise.reject(new Error('the database is away'));
  expect(await metrics.text()).not.toContain('sideline_test{');
});

const lagOf = (text: string, name = 'p99') =>
  Number(new RegExp(`^nodejs_eventloop_lag_${name}_seconds\\{.*\\} (.+)$`, 'm').exec(text)?.[1]);

function blockFor(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end;);
}

test('a blocked event loop is reported once, also one that was blocked by the first request or job', async () => {
  for (const [index, begin] of (['countOpen', 'countWork'] as const).entries()) {
    const metrics = createMetrics();
    metrics[begin](1);
    blockFor(900 + index * 300);
    metrics[begin](-1);
    await sleep(10);
    const text = await metrics.text();
    expect(lagOf(text)).toBeGreaterThan(0.75 + index * 0.3);
    expect(lagOf(text, 'max')).toBeGreaterThanOrEqual(lagOf(text, 'mean'));
    const again = await metrics.text();
    for (const name of ['min', 'max', 'mean', 'stddev', 'p50', 'p90', 'p99']) expect(lagOf(again, name)).toBe(0);
  }
});
