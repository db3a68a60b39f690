/** Unit costs: CPU and bytes from a run of the bench, sizes and shares from measurements that are named here. */

/** CPU in milliseconds of the whole product, the database included; kB of what is sent. */
export type UnitCosts = {
  pageAnewMs: number;
  pageAgainMs: number;
  listAnewMs: number;
  listAgainMs: number;
  pictureMs: number;
  orderMs: number;
  ingestMs: number;
  pageKb: number;
  pictureKb: number;
};

type Bench = { rows?: Record<string, { details?: Record<string, number> } | undefined> };

/** Row and detail of the bench's JSON. */
const SOURCES = {
  pageAnewMs: ['P5', 'page cpu ms'],
  pageAgainMs: ['P6', 'page cpu ms'],
  listAnewMs: ['P4', '100 anew cpu ms'],
  listAgainMs: ['P4', '100 again cpu ms'],
  pictureMs: ['P7', 'rendition cpu ms'],
  orderMs: ['P8', 'orderCpuMs'],
  photosASecond: ['P26', 'photos a second'],
  pageKb: ['P6', 'compressed kB'],
  pictureKb: ['P7', 'rendition kB'],
} as const;

/**
 * Reads the last line of the bench's output. The bench reports no CPU of an ingest but how many photos a second became
 * ready on all cores of the machine: their cores count as busy, so that a photo's cost is rather overestimated.
 * @throws Error that names everything that is missing
 */
export function readUnitCosts(output: string, benchCores: number): UnitCosts {
  const { rows } = readLastLine(output);
  const missing: string[] = [];
  const detail = ([row, name]: readonly [string, string]): number => {
    const value = rows[row]?.details?.[name];
    if (typeof value === 'number' && value > 0) return value;
    missing.push(`${row} (${name})`);
    return Number.NaN;
  };
  const { photosASecond, ...others } = Object.fromEntries(
    Object.entries(SOURCES).map(([name, source]) => [name, detail(source)]),
  ) as Record<keyof typeof SOURCES, number>;
  if (missing.length > 0)
    throw new Error(`The bench has not measured ${missing.join(', ')}. Run "npm run bench" with all rows.`);
  return { ...others, ingestMs: (benchCores * 1_000) / photosASecond };
}

function readLastLine(output: string): Required<Bench> {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  try {
    const bench = JSON.parse(line) as Bench | null;
    if (bench?.rows) return { rows: bench.rows };
  } catch {
    // Explained below, with what to do.
  }
  throw new Error('The last line of this file is not the JSON of "npm run bench".');
}

export type Role = 'web' | 'worker' | 'database';
export type Shares = Record<Role, number>;
export type Work = 'pages anew' | 'pages again' | 'lists anew' | 'lists again' | 'pictures' | 'orders' | 'ingest';

/**
 * Responses from memory query the database (decision record 0062: 0.065 of 0.175 ms), all of it counted as the
 * database's.
 */
const FROM_MEMORY: Shares = { web: 0.63, worker: 0, database: 0.37 };

/** Which process of the product uses the CPU. */
export const SHARES: Readonly<Record<Work, Shares>> = {
  // Not measured: three statements of what the one of a list of ten takes (record 0056), of 5.2 ms.
  'pages anew': { web: 0.85, worker: 0, database: 0.15 },
  'pages again': FROM_MEMORY,
  // Record 0056: 1.19 and 0.86 ms.
  'lists anew': { web: 0.58, worker: 0, database: 0.42 },
  'lists again': FROM_MEMORY,
  pictures: FROM_MEMORY,
  // Record 0060: 6.5, 4.2 and 7.6 of 18.3 ms.
  orders: { web: 0.355, worker: 0.23, database: 0.415 },
  // Record 0057: web 15, worker 45 with its picture process 180, PostgreSQL 31 of 271 ms.
  ingest: { web: 0.055, worker: 0.83, database: 0.115 },
};

/** Files of a photo: the original and five sizes, clean and marked. */
export const RENDITIONS_PER_PHOTO = 10;
