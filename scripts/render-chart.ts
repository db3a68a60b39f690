/**
 * `npm run chart`: renders the chart by helm with each file of `deploy/chart/ci` into `deploy/chart/rendered`, so that
 * `tests/deployment.test.ts` can check the manifests without helm; `--fetch` only brings helm (`scripts/helm.ts`).
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fetchHelm } from './helm.ts';

const CHART = path.resolve(import.meta.dirname, '../deploy/chart');

/** The files of values that the chart is rendered with. */
export const chartCases = (): string[] => readdirSync(path.join(CHART, 'ci')).toSorted();

/** Of everything that a rendering depends on; its first line repeats it. */
export function chartStamp(values: string): string {
  const hash = createHash('sha256');
  const templates = readdirSync(path.join(CHART, 'templates')).map((name) => path.join('templates', name));
  for (const name of ['Chart.yaml', 'values.yaml', path.join('ci', values), ...templates.toSorted()])
    hash
      .update(`${name}\0`)
      .update(readFileSync(path.join(CHART, name)))
      .update('\0');
  return `# Made by npm run chart from templates and values of sha256 ${hash.digest('hex')}.`;
}

/**
 * The manifests that `helm install sideline` would send to the namespace `shop`; `set` are more values (`web.replicas=3`).
 * @throws Error with what helm says if the chart refuses its values
 */
export function renderChart(helm: string, values: string, set: readonly string[] = []): string {
  const args = ['template', 'sideline', CHART, '--namespace', 'shop', '--values', path.join(CHART, 'ci', values)];
  return execFileSync(helm, [...args, ...set.flatMap((one) => ['--set', one])], { encoding: 'utf8', stdio: 'pipe' });
}

/** What helm says against the chart; empty if nothing. */
export function lintChart(helm: string, values: string): string {
  const args = ['lint', '--strict', '--quiet', CHART, '--values', path.join(CHART, 'ci', values)];
  const { stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8' });
  return `${stdout}${stderr}`.trim();
}

function renderAll(): void {
  const helm = fetchHelm();
  if (process.argv.includes('--fetch')) return;
  mkdirSync(path.join(CHART, 'rendered'), { recursive: true });
  for (const values of chartCases()) {
    const file = path.join(CHART, 'rendered', values.replace('-values', ''));
    writeFileSync(file, `${chartStamp(values)}\n${renderChart(helm, values)}`);
  }
}

if (import.meta.main) renderAll();
