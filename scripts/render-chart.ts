/**
 * `npm run chart`: renders the chart with each file of `deploy/chart/ci` into `deploy/chart/rendered`, by Go's own templates
 * as helm has them (`scripts/chart/render.go`; Debian's golang-go, golang-github-masterminds-sprig-dev and
 * golang-k8s-sigs-yaml-dev). `tests/deployment.test.ts` compares the stamp and checks the manifests.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const CHART = path.resolve(import.meta.dirname, '../deploy/chart');
const RENDERER = path.join(import.meta.dirname, 'chart', 'render.go');

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

function renderAll(): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'sideline-chart-'));
  try {
    const program = path.join(folder, 'render');
    const env = {
      ...process.env,
      GO111MODULE: 'off',
      GOPATH: '/usr/share/gocode',
      GOCACHE: path.join(folder, 'cache'),
    };
    execFileSync('go', ['build', '-o', program, RENDERER], { env, stdio: 'inherit' });
    mkdirSync(path.join(CHART, 'rendered'), { recursive: true });
    for (const values of chartCases()) {
      const out = execFileSync(program, [CHART, 'sideline', 'shop', path.join(CHART, 'ci', values)], {
        encoding: 'utf8',
      });
      writeFileSync(path.join(CHART, 'rendered', values.replace('-values', '')), `${chartStamp(values)}\n${out}`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) renderAll();
