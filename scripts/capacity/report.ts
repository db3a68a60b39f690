/** The output of `npm run capacity`: Markdown tables, which are readable in a terminal, too. */
import { ASSUMPTIONS, ASSUMPTION_NAMES, type Assumptions } from './assumptions.ts';
import { billOf, egressOf, machinesOf, storageOf, trafficOf, workOf, type Sizes } from './model.ts';
import type { UnitCosts } from './unit-costs.ts';

type Row = readonly (string | number)[];

/** Three significant digits, with thousands separators. */
function written(value: string | number): string {
  if (typeof value === 'string') return value;
  const digits = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.min(digits, 5) });
}

const lineOf = (row: Row) => `| ${row.map(written).join(' | ')} |`;

function table(title: string, head: readonly string[], rows: readonly Row[]): string {
  return [`**${title}**`, '', lineOf(head), `|${'---|'.repeat(head.length)}`, ...rows.map(lineOf)].join('\n');
}

/** The whole model of one load. */
export function reportCapacity(given: Assumptions, costs: UnitCosts, sizes: Sizes): string {
  const traffic = trafficOf(given);
  const work = workOf(traffic, costs);
  const machines = machinesOf(work, given);
  const storage = storageOf(given, traffic, sizes);
  const egress = egressOf(given, traffic, costs);
  const { monthly, ...bill } = billOf(given, costs, { machines, storage, egress });
  const copies = given['database-copies'];
  const databaseGb = storage.databaseGb.photos + storage.databaseGb.renditions + storage.databaseGb.orders;
  return [
    table(
      'Assumed',
      ['Option', 'Value', 'What'],
      ASSUMPTION_NAMES.map((name) => [`\`--${name}\``, given[name], ASSUMPTIONS[name].what]),
    ),
    table(
      'A day',
      ['What', 'Number'],
      [
        ['photos uploaded', traffic.uploadsPerDay],
        ['orders', traffic.ordersPerDay],
        ['gallery pages', traffic.pagesPerDay],
        ['photos of an organization (mean, kept)', given.organizations > 0 ? given.photos / given.organizations : 0],
      ],
    ),
    table(
      'The busiest minute',
      ['Work', 'a second', 'CPU ms each', 'web cores busy', 'worker cores busy', 'database cores busy'],
      work.map(({ work: name, perSecond, ms, busy }) => [name, perSecond, ms, busy.web, busy.worker, busy.database]),
    ),
    table(
      'To hold ready',
      ['What', 'Number'],
      [
        ['web cores, a process each', machines.web],
        ['worker cores', machines.worker],
        ['worker processes', machines.workerProcesses],
        ['database cores (primary)', machines.database],
        ['sessions of the database, at most', machines.sessions],
      ],
    ),
    table(
      'Storage, one copy',
      ['What', 'Number', 'GB'],
      [
        ['originals, objects', given.photos, storage.originalsGb],
        ['renditions, objects', storage.rows.renditions, storage.renditionsGb],
        ['database: photos and keywords, photos', storage.rows.photos, storage.databaseGb.photos],
        ['database: renditions, rows', storage.rows.renditions, storage.databaseGb.renditions],
        ['database: orders with the books, rows', storage.rows.orders, storage.databaseGb.orders],
        ['database, all', '', databaseGb],
      ],
    ),
    table(
      'Sent',
      ['What', 'Number'],
      [
        ['GB a month from us', egress.oursGbAMonth],
        ['GB a month from the CDN', egress.cdnGbAMonth],
        ['Gbit a second from us in the busiest minute', egress.oursPeakGbit],
      ],
    ),
    table(
      'Cost, at the prices above',
      ['What', 'Cost'],
      [
        ['cores, a month', monthly.cores],
        ['objects, a month', monthly.objects],
        [`database disk in ${copies} copies, a month`, monthly.database],
        ['sent by us, a month', monthly.egress],
        ['sent by the CDN, a month', monthly.cdn],
        ['all, a month', bill.monthlyTotal],
        ['all, a month, for 1,000 photos', bill.monthlyPer1000Photos],
        ['keeping 1,000 photos, a month', bill.keepingPer1000Photos],
        ['taking in 1,000 photos, once', bill.takingInPer1000Photos],
      ],
    ),
  ].join('\n\n');
}
