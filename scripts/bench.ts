/**
 * `npm run bench [-- P4 P7 | --quick | --growth [photos galleries tenants orders]]`: measures the rows of
 * docs/performance.md on this machine, each next to its yardstick in the same minutes. Prints a table and, last, one
 * JSON line; the exit code is 1 if a figure misses its goal. `--quick` takes less than three minutes: fewer rounds, and
 * without the slower rows. `--growth` plots instead how the cost of requests grows with the data.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endAll } from '#tests/load/children.ts';
import { drawGrowth, GROWTH_NAMES } from '#tests/load/growth.ts';
import { openBench } from '#tests/load/open-bench.ts';
import { ingestRateRow, ingestRow, pictureMemoryRow } from '#tests/load/p1-ingest.ts';
import { galleryJsonRow } from '#tests/load/p4-gallery-json.ts';
import { galleryPageRow } from '#tests/load/p5-gallery-page.ts';
import { pageAgainRow } from '#tests/load/p6-page-again.ts';
import { renditionRow } from '#tests/load/p7-rendition.ts';
import { orderRow } from '#tests/load/p8-orders.ts';
import { largeGalleryRow } from '#tests/load/p9-large-gallery.ts';
import { manyGalleriesRow } from '#tests/load/p10-many-galleries.ts';
import { orderingRow } from '#tests/load/p11-order.ts';
import { scriptsRow } from '#tests/load/p12-scripts.ts';
import { firstPaintRow, firstPictureRow, lightboxBytesRow, pictureBytesRow } from '#tests/load/p13-slow-phone.ts';
import { startRow } from '#tests/load/p16-start.ts';
import { soakRow } from '#tests/load/p18-soak.ts';
import { adminReportRow } from '#tests/load/p19-admin-report.ts';
import { importRow } from '#tests/load/p20-import.ts';
import { reportsBesideVisitsRow } from '#tests/load/p21-reports-beside-visits.ts';
import { lightboxPressRow } from '#tests/load/p22-lightbox-press.ts';
import { taggingRow } from '#tests/load/p23-tagging.ts';
import { editorDelayRow } from '#tests/load/p24-editor-delay.ts';
import { peakRow, restRow } from '#tests/load/p26-peak.ts';
import { quoteRow } from '#tests/load/p27-quote.ts';
import { keeps, type BenchResult, type BenchRow } from '#tests/load/rows.ts';

/**
 * In the order in which they run: rows that share a product are adjacent. P16, P2 and P3 run while the product of P17 and
 * P26 rests, which both wait for.
 */
const ROWS: readonly BenchRow[] = [
  scriptsRow,
  galleryPageRow,
  renditionRow,
  orderRow,
  quoteRow,
  ingestRow,
  largeGalleryRow,
  orderingRow,
  editorDelayRow,
  taggingRow,
  importRow,
  galleryJsonRow,
  pageAgainRow,
  firstPictureRow,
  pictureBytesRow,
  lightboxBytesRow,
  firstPaintRow,
  lightboxPressRow,
  manyGalleriesRow,
  startRow,
  restRow,
  ingestRateRow,
  pictureMemoryRow,
  peakRow,
  adminReportRow,
  reportsBesideVisitsRow,
  soakRow,
];
type Measured = BenchResult & { seconds: number; holds: boolean; error?: string };

const words = process.argv.slice(2);
const isGrowth = words.includes('--growth');
const spoken = words.filter((word) => !word.startsWith('--'));
const names = isGrowth ? spoken : spoken.map((word) => word.toUpperCase());
const known = isGrowth ? GROWTH_NAMES : ROWS.map(({ name }) => name);
const strange = [
  ...names.filter((name) => !known.includes(name)),
  ...words.filter((word) => word.startsWith('--') && !['--quick', '--growth'].includes(word)),
];
if (strange.length > 0) {
  console.error(`There is no ${strange.join(', ')}; there are ${known.join(', ')}, --quick and --growth.`);
  process.exit(2);
}

// Everything that a row writes is below one folder; PostgreSQL, under its own account, must be able to traverse it.
const folder = mkdtempSync(join(tmpdir(), 'sideline-bench-'));
chmodSync(folder, 0o711);
process.env['TMPDIR'] = folder;
// What `npm start` runs, which the caller has built.
process.env['START_PROGRAM'] = 'build/program/start.js';
// A product that npm started ends with its parent: even a killed bench leaves none.
process.env['npm_lifecycle_event'] ??= 'bench';

async function leave(code: number): Promise<never> {
  await endAll();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.exit(code);
}
for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => void leave(code));

process.once('uncaughtException', (error) => {
  console.error(error);
  void leave(1);
});

if (isGrowth) {
  await drawGrowth(names, console.log);
  await leave(0);
}

const bench = openBench(words.includes('--quick'));
const results: Record<string, Measured> = {};
for (const row of ROWS) {
  const { name, what, notQuick } = row;
  if (names.length > 0 && !names.includes(name)) continue;
  if (bench.isQuick && notQuick !== undefined) {
    console.log(`${name.padEnd(4)} ${what}\n     not in --quick: ${notQuick}`);
    continue;
  }
  console.log(`${name.padEnd(4)} ${what}`);
  const measured = await measure(row);
  results[name] = measured;
  for (const line of linesOf(measured)) console.log(`     ${line}`);
}

const failed = Object.keys(results).filter((name) => !results[name]?.holds);
console.log(failed.length === 0 ? 'Every row holds.' : `Falls short: ${failed.join(', ')}.`);
console.log(JSON.stringify({ isQuick: bench.isQuick, failed, rows: results }));
await leave(failed.length === 0 ? 0 : 1);

/** A row that throws has failed; what it left running is stopped, so that the others continue. */
async function measure(row: BenchRow): Promise<Measured> {
  const began = performance.now();
  const seconds = () => (performance.now() - began) / 1_000;
  try {
    const result = await row.measure(bench);
    return { ...result, seconds: seconds(), holds: Object.values(result.figures).every((one) => keeps(one, one.must)) };
  } catch (error) {
    await bench.reset();
    await endAll();
    return { figures: {}, details: {}, seconds: seconds(), holds: false, error: String(error) };
  }
}

function linesOf({ figures, details, seconds, error }: Measured): string[] {
  const line = (name: string, value: number, rest = '') =>
    `${name.padEnd(36)} ${value.toFixed(Math.abs(value) >= 100 ? 0 : 2).padStart(8)}${rest}`;
  return [
    ...Object.entries(figures).map(([name, figure]) => {
      const word = keeps(figure, figure.aim) ? 'aim met' : keeps(figure, figure.must) ? 'holds' : 'FALLS SHORT';
      return line(name, figure.value, `   must ${figure.must}, aim ${figure.aim}   ${word}`);
    }),
    ...Object.entries(details).map(([name, value]) => line(name, value)),
    ...(error === undefined ? [] : [`FAILED: ${error}`]),
    line('(seconds that this row took)', seconds),
  ];
}
