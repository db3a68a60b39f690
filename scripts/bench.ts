/** `npm run bench [-- NAME]`: measures the rows of docs/performance.md on this machine; the last line is JSON. */
import { ingestRow } from '#tests/load/p1-ingest.ts';
import { galleryJsonRow } from '#tests/load/p4-gallery-json.ts';
import { galleryPageRow } from '#tests/load/p5-gallery-page.ts';
import { pageAgainRow } from '#tests/load/p6-page-again.ts';
import { renditionRow } from '#tests/load/p7-rendition.ts';
import { orderRow } from '#tests/load/p8-orders.ts';
import { largeGalleryRow } from '#tests/load/p9-large-gallery.ts';
import { manyGalleriesRow } from '#tests/load/p10-many-galleries.ts';
import { orderingRow } from '#tests/load/p11-order.ts';
import { firstPictureRow } from '#tests/load/p13-first-picture.ts';
import { soakRow } from '#tests/load/p18-soak.ts';
import { adminReportRow } from '#tests/load/p19-admin-report.ts';
import { importRow } from '#tests/load/p20-import.ts';
import { reportsBesideVisitsRow } from '#tests/load/p21-reports-beside-visits.ts';
import { restRow, startRow } from '#tests/load/p16-start.ts';
import type { BenchResult, BenchRow } from '#tests/load/rows.ts';

const ROWS: readonly BenchRow[] = [
  ingestRow,
  galleryJsonRow,
  galleryPageRow,
  pageAgainRow,
  renditionRow,
  orderRow,
  largeGalleryRow,
  manyGalleriesRow,
  orderingRow,
  firstPictureRow,
  startRow,
  restRow,
  soakRow,
  adminReportRow,
  importRow,
  reportsBesideVisitsRow,
];

const wanted = process.argv[2]?.toUpperCase();
const rows = ROWS.filter((row) => wanted === undefined || row.name === wanted);
if (rows.length === 0) {
  console.error(`There is no row ${wanted ?? ''}; the rows are ${ROWS.map((row) => row.name).join(', ')}.`);
  process.exit(2);
}

const bench: Record<string, BenchResult & { must: number; aim: number; holds: boolean }> = {};
for (const row of rows) {
  console.log(`${row.name}  ${row.what}`);
  const result = await row.measure();
  const holds = Object.values(result.ratios).every((ratio) => ratio <= row.must);
  for (const [name, ratio] of Object.entries(result.ratios)) {
    console.log(
      `    ${name.padEnd(24)} ${ratio.toFixed(2).padStart(7)}   must ${row.must}, aim ${row.aim}   ${ratio <= row.aim ? 'aim met' : ratio <= row.must ? 'holds' : 'FALLS SHORT'}`,
    );
  }
  for (const [name, value] of Object.entries(result.details))
    console.log(`    ${name.padEnd(24)} ${value.toFixed(3).padStart(7)}`);
  bench[row.name] = { ...result, must: row.must, aim: row.aim, holds };
}
console.log(JSON.stringify({ bench }));
process.exit(0);
