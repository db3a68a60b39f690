/** How statements are planned and what they read, as the app's role with row-level security. */
import pg from 'pg';
import type { CompiledQuery } from 'kysely';
import { record, type HotStatement, type Sample } from '#tests/load/hot-statements.ts';
import { median } from '#tests/load/process-cpu.ts';
import { typeParsers } from '#src/platform/db/kysely-driver.ts';
import { namesOfPrepared } from '#src/platform/db/prepared.ts';

export type PlanFigures = {
  /** Medians of the rounds that are counted; of everything that the function sent. */
  rows: number;
  /** Pages of 8 kB that were read, from memory or disk. */
  pages: number;
  /** Planning and running, on the server. */
  ms: number;
  /** The highest number of partitions of one divided table whose rows or indexes were read; null if none is divided. */
  parts: number | null;
  /** Indexes that were used, and tables that were scanned. */
  ways: string[];
};

type Node = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows'?: number;
  'Actual Loops'?: number;
  'Shared Hit Blocks'?: number;
  'Shared Read Blocks'?: number;
  Plans?: Node[];
};
type Row = { 'QUERY PLAN': [Explained] };
type Explained = { Plan: Node; 'Planning Time': number; 'Execution Time': number };

/** PostgreSQL keeps the plan of a prepared statement from the sixth time on. */
const WARM_UP = 6;

const PART = /^(.+)_p\d+$/;

export async function openPlanSession(appUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: appUrl, types: typeParsers });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs a statement for each sample in a transaction that is rolled back. With one sample it runs once. */
export async function measurePlans(
  client: pg.Client,
  hot: HotStatement,
  samples: readonly Sample[],
): Promise<PlanFigures> {
  const nameOf = namesOfPrepared();
  const known = new Set<string>();
  const rounds: PlanFigures[] = [];
  const ways = new Set<string>();
  for (const sample of samples) {
    await client.query('begin');
    try {
      const scope = hot.scope(sample);
      if (scope !== null) await client.query("select set_config('app.organization_ids', $1, true)", [scope]);
      if (hot.before)
        for (const sent of await record(hot.before, sample)) await client.query(sent.sql, [...sent.parameters]);
      await client.query('set constraints all immediate');
      const explained: Explained[] = [];
      for (const sent of await record(hot.send, sample))
        explained.push(await explain(client, sent, nameOf(sent.sql), known));
      rounds.push(figuresOf(explained, ways));
    } finally {
      await client.query('rollback');
    }
  }
  for (const name of known) await client.query(`deallocate ${name}`);
  const counted = rounds.slice(samples.length > WARM_UP ? WARM_UP : 0);
  const typical = (key: 'rows' | 'pages' | 'ms') => median(counted.map((round) => round[key]));
  const parts = counted.map((round) => round.parts).filter((each) => each !== null);
  return {
    rows: typical('rows'),
    pages: typical('pages'),
    ms: typical('ms'),
    parts: parts.length === 0 ? null : Math.max(...parts),
    ways: [...ways].toSorted(),
  };
}

async function explain(
  client: pg.Client,
  sent: CompiledQuery,
  name: string | undefined,
  known: Set<string>,
): Promise<Explained> {
  const how = 'explain (analyze, buffers, format json)';
  if (name === undefined) {
    const { rows } = await client.query<Row>(`${how} ${sent.sql}`, [...sent.parameters]);
    return onlyPlan(rows);
  }
  if (!known.has(name)) await client.query(`prepare ${name} as ${sent.sql}`);
  known.add(name);
  const { rows } = await client.query<Row>(`${how} execute ${name}(${sent.parameters.map(literal).join(', ')})`);
  return onlyPlan(rows);
}

function onlyPlan([row]: readonly Row[]): Explained {
  if (!row) throw new Error('there is no plan');
  return row['QUERY PLAN'][0];
}

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (value instanceof Date) return `'${value.toISOString()}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(String(each))).join(',')}}`);
  return pg.escapeLiteral(String(value));
}

function nodesOf(node: Node): Node[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)];
}

function figuresOf(explained: readonly Explained[], ways: Set<string>): PlanFigures {
  const nodes = explained.flatMap(({ Plan }) => nodesOf(Plan));
  const ran = nodes.filter((node) => (node['Actual Loops'] ?? 0) > 0);
  const parts = new Map<string, Set<string>>();
  for (const { 'Relation Name': relation, 'Index Name': index, 'Node Type': type } of ran) {
    const whole = relation === undefined ? undefined : PART.exec(relation)?.[1];
    if (relation !== undefined && whole !== undefined && type !== 'ModifyTable')
      parts.set(whole, (parts.get(whole) ?? new Set()).add(relation));
    if (index !== undefined) ways.add(index);
    else if (type === 'Seq Scan' && relation !== undefined) ways.add(`all of ${relation}`);
  }
  const total = (key: 'Shared Hit Blocks' | 'Shared Read Blocks') =>
    explained.reduce((sum, { Plan }) => sum + (Plan[key] ?? 0), 0);
  return {
    rows: explained.reduce((sum, { Plan }) => sum + (Plan['Actual Rows'] ?? 0), 0),
    pages: total('Shared Hit Blocks') + total('Shared Read Blocks'),
    ms: explained.reduce((sum, each) => sum + each['Planning Time'] + each['Execution Time'], 0),
    parts: parts.size === 0 ? null : Math.max(...[...parts.values()].map(({ size }) => size)),
    ways: [],
  };
}
