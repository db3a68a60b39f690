import { expect, test } from 'vitest';
import { createMetrics } from './metrics.ts';

test('metrics report responses, jobs and pools of this process', async () => {
  let waiting = 0;
  const metrics = createMetrics({ processName: 'web 1', database: { load: () => ({ total: 5, idle: 2, waiting }) } });
  metrics.observeAnswer({ method: 'GET', route: '/api/v1/galleries/:id/full', status: 200, ms: 4 });
  metrics.observeAnswer({ method: 'GET', route: '/api/v1/galleries/:id/full', status: 204, ms: 40 });
  metrics.observeAnswer({ method: 'BREW', route: 'unknown', status: 404, ms: 1 });
  metrics.observeJob({ job: 'mail.send', outcome: 'done', ms: 120, waitedMs: 30 });
  metrics.observeJob({ job: 'mail.send', outcome: 'dead', ms: 0, waitedMs: 0 });
  waiting = 7;
  const lines = (await metrics.text()).split('\n');
  for (const line of [
    'sideline_http_seconds_bucket{le="0.005",process="web 1",method="GET",route="/api/v1/galleries/:id/full",status="2xx"} 1',
    'sideline_http_seconds_count{process="web 1",method="GET",route="/api/v1/galleries/:id/full",status="2xx"} 2',
    'sideline_http_seconds_count{process="web 1",method="other",route="unknown",status="4xx"} 1',
    'sideline_job_seconds_sum{process="web 1",job="mail.send",outcome="done"} 0.12',
    'sideline_job_wait_seconds_sum{process="web 1",job="mail.send"} 0.03',
    'sideline_jobs_given_up_total{job="mail.send",process="web 1"} 1',
    'sideline_pool_sessions{pool="main",state="busy",process="web 1"} 3',
    'sideline_pool_sessions{pool="main",state="waiting",process="web 1"} 7',
  ])
    expect(lines).toContain(line);
});

test('two sets of metrics do not mix', async () => {
  const [one, two] = [createMetrics({ processName: 'one' }), createMetrics({ processName: 'two' })];
  one.observeAnswer({ method: 'GET', route: '/', status: 200, ms: 1 });
  expect(await one.text()).toContain('sideline_http_seconds_count{');
  expect(await two.text()).not.toContain('sideline_http_seconds_count{');
});
