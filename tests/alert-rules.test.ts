/**
 * Each alert fires for its cause, and none while all is well, according to Prometheus' own promtool (Debian:
 * prometheus); and the dashboard is one that Grafana can display. `tests/observability.test.ts` compares both with the
 * product's metrics.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, test } from 'vitest';

const FOLDER = path.resolve(import.meta.dirname, '../deploy/observability');
const RULES = path.join(FOLDER, 'prometheus-rules.yml');
const read = (name: string): string => readFileSync(path.join(FOLDER, name), 'utf8');
const hasPromtool = spawnSync('promtool', ['--version']).error === undefined;

type Series = Readonly<Record<string, string>>;

/** What makes each alert fire: numbers a minute apart, in promtool's notation (`0+60x20`: twenty times 60 more). */
const FIRES: Readonly<Record<string, [at: string, Series]>> = {
  SidelineProcessDown: ['5m', { 'up{job="sideline"}': '0x10' }],
  SidelineDatabaseDown: ['5m', { sideline_database_up: '0x10' }],
  SidelineStoreDown: ['5m', { sideline_store_up: '0x10' }],
  SidelineErrors: [
    '15m',
    {
      'sideline_http_seconds_count{status="5xx"}': '0+60x20',
      'sideline_http_seconds_count{status="2xx"}': '0+600x20',
    },
  ],
  SidelineSlow: [
    '25m',
    {
      'sideline_http_seconds_bucket{route="/",le="1"}': '0+10x30',
      'sideline_http_seconds_bucket{route="/",le="2.5"}': '0+100x30',
      'sideline_http_seconds_bucket{route="/",le="+Inf"}': '0+100x30',
    },
  ],
  SidelineCheckoutsFailing: [
    '25m',
    {
      'sideline_checkouts_total{outcome="failed"}': '0+1x30',
      'sideline_checkouts_total{outcome="too many"}': '0+20x30',
      'sideline_checkouts_total{outcome="paid"}': '0+1x30',
    },
  ],
  SidelineCardsDeclined: [
    '50m',
    {
      'sideline_checkouts_total{outcome="declined"}': '0+2x60',
      'sideline_checkouts_total{outcome="too many"}': '0+20x60',
      'sideline_checkouts_total{outcome="paid"}': '0+1x60',
    },
  ],
  SidelinePaymentsUndecided: ['10m', { sideline_payments_undecided_seconds: '4000x20' }],
  // Now and then the database does not answer in time for a scrape.
  SidelineBooksDiffer: ['90m', { sideline_reconciliation_open_differences: '1x40 stale 1x80' }],
  SidelineQueueStuck: ['10m', { 'sideline_queue_oldest_seconds{queue="payouts.submit"}': '1000x20' }],
  SidelinePhotosLate: ['10m', { 'sideline_queue_oldest_seconds{queue="photo.ingest"}': '400x20' }],
  SidelineJobsGivenUp: ['10m', { 'sideline_jobs_given_up_total{work="photo.ingest"}': '0x5 1x20' }],
  SidelineEmailsLate: ['10m', { sideline_mail_oldest_seconds: '2000x20' }],
  SidelineDiskFull: ['5m', { sideline_disk_free_bytes: '5x20', sideline_disk_floor_bytes: '10x20' }],
  SidelineDiskLow: ['30m', { sideline_disk_free_bytes: '15x40', sideline_disk_floor_bytes: '10x40' }],
  SidelinePoolExhausted: ['10m', { 'sideline_pool_sessions{state="waiting"}': '5x20' }],
  SidelineSlowStatements: ['30m', { 'sideline_slow_statements_total{work="GET /"}': '0+60x40' }],
  // Two scrapes that a blocked process answers together: the second finds no delay.
  SidelineEventLoopBlocked: ['20m', { 'nodejs_eventloop_lag_p99_seconds{job="sideline"}': '0.8x14 0 0.8x25' }],
  SidelineCpuBusy: ['40m', { 'process_cpu_seconds_total{job="sideline"}': '0+58x60' }],
  SidelineMemoryHigh: ['30m', { 'process_resident_memory_bytes{job="sideline"}': '900000000x60' }],
  SidelineBackupOld: ['90m', { 'sideline_backup_age_seconds{kind="folder"}': '140000x40 stale 140000x80' }],
  SidelineBackupMissing: ['25h', { 'up{job="sideline"}': '1x1600' }],
};

/** Two hours in which all is well, with a declined card, a bad answer and a slow statement now and then. */
const WELL: Series = {
  'up{job="sideline"}': '1x130',
  sideline_database_up: '1x130',
  sideline_store_up: '1x130',
  'sideline_http_seconds_count{status="5xx"}': '0+1x130',
  'sideline_http_seconds_count{status="2xx"}': '0+600x130',
  'sideline_http_seconds_bucket{route="/",le="1"}': '0+599x130',
  'sideline_http_seconds_bucket{route="/",le="+Inf"}': '0+600x130',
  'sideline_checkouts_total{outcome="paid"}': '0+4x130',
  'sideline_checkouts_total{outcome="declined"}': '0+1x130',
  'sideline_checkouts_total{outcome="failed"}': '0x130',
  sideline_payments_undecided_seconds: '0x130',
  sideline_reconciliation_open_differences: '0x130',
  'sideline_queue_oldest_seconds{queue="photo.ingest"}': '20x130',
  'sideline_jobs_given_up_total{work="photo.ingest"}': '3x130',
  sideline_mail_oldest_seconds: '5x130',
  sideline_disk_free_bytes: '100x130',
  sideline_disk_floor_bytes: '10x130',
  'sideline_pool_sessions{state="waiting"}': '0x130',
  'sideline_slow_statements_total{work="GET /"}': '0+1x130',
  // Three long turns, five minutes apart.
  'nodejs_eventloop_lag_p99_seconds{job="sideline"}': '0.02x107 3 0.02x3 3 0.02x3 3 0.02x10',
  'process_cpu_seconds_total{job="sideline"}': '0+20x130',
  'process_resident_memory_bytes{job="sideline"}': '200000000x130',
  'sideline_backup_age_seconds{kind="folder"}': '80000x130',
};

const seriesOf = (series: Series) => Object.entries(series).map(([name, values]) => ({ series: name, values }));
const firing = (alert: string) => `count(ALERTS{alertstate="firing", alertname=~"${alert}"})`;

describe('alert rules', () => {
  test('each have a case here', () => {
    const alerts = [...readFileSync(RULES, 'utf8').matchAll(/- alert: (\w+)/g)].map(([, name]) => name);
    expect(Object.keys(FIRES).toSorted()).toEqual(alerts.toSorted());
  });

  test.runIf(hasPromtool)('fire for their cause, and for nothing while all is well', () => {
    const fires = Object.entries(FIRES).map(([alert, [at, series]]) => ({
      interval: '1m',
      input_series: seriesOf(series),
      promql_expr_test: [{ expr: firing(alert), eval_time: at, exp_samples: [{ labels: '{}', value: 1 }] }],
    }));
    const well = {
      interval: '1m',
      input_series: seriesOf(WELL),
      promql_expr_test: ['10m', '2h'].map((at) => ({ expr: firing('.+'), eval_time: at, exp_samples: [] })),
    };
    const folder = mkdtempSync(path.join(tmpdir(), 'sideline-rules-'));
    try {
      const file = path.join(folder, 'cases.yml');
      // JSON is YAML.
      writeFileSync(file, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests: [...fires, well] }));
      const checked = spawnSync('promtool', ['check', 'rules', RULES], { encoding: 'utf8' });
      expect(checked.status, checked.stdout + checked.stderr).toBe(0);
      const tried = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
      expect(tried.status, tried.stdout + tried.stderr).toBe(0);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

describe('the dashboard', () => {
  type Place = { x: number; y: number; w: number; h: number };
  type Source = { type: string; uid: string };
  type Panel = {
    id: number;
    type: string;
    title: string;
    datasource?: Source;
    gridPos: Place;
    targets?: { refId: string; expr: string; datasource: Source }[];
  };
  const { panels, uid, schemaVersion, templating } = JSON.parse(read('grafana-dashboard.json')) as {
    panels: Panel[];
    uid: string;
    schemaVersion: number;
    templating: { list: { name: string; type: string; query: string }[] };
  };

  test('queries a data source that is chosen when it is imported', () => {
    expect([uid, schemaVersion]).toEqual(['sideline', 39]);
    expect(templating.list).toMatchObject([{ name: 'datasource', type: 'datasource', query: 'prometheus' }]);
    const sources = panels.flatMap(({ datasource, targets = [] }) => [
      datasource,
      ...targets.map((one) => one.datasource),
    ]);
    expect(new Set(sources.filter(Boolean).map((one) => JSON.stringify(one)))).toEqual(
      new Set(['{"type":"prometheus","uid":"${datasource}"}']),
    );
  });

  test('has panels that Grafana supports, each with its own number, title, position and queries', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    for (const { title, type, gridPos, targets = [] } of panels) {
      expect(['row', 'stat', 'timeseries'], title).toContain(type);
      expect(title).not.toBe('');
      expect(gridPos.x + gridPos.w, title).toBeLessThanOrEqual(24);
      expect(new Set(targets.map(({ refId }) => refId)).size, title).toBe(targets.length);
    }
    const overlaps = (one: Place, other: Place) =>
      one.x < other.x + other.w && other.x < one.x + one.w && one.y < other.y + other.h && other.y < one.y + one.h;
    const clashes = panels.flatMap((one, index) =>
      panels
        .slice(index + 1)
        .flatMap((other) => (overlaps(one.gridPos, other.gridPos) ? [[one.title, other.title]] : [])),
    );
    expect(clashes).toEqual([]);
  });
});
