/**
 * `npm run capacity -- FILE [--orders-per-minute 1000 …]`: how many cores, how much storage and what cost a load needs,
 * from the unit costs that `npm run bench` measured. FILE is what the bench printed, or its last line. What is assumed,
 * and how sizes were measured: docs/capacity.md.
 */
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ASSUMPTION_NAMES, ASSUMPTIONS, readAssumptions, type AssumptionName } from './capacity/assumptions.ts';
import type { Sizes } from './capacity/model.ts';
import { reportCapacity } from './capacity/report.ts';
import { readUnitCosts } from './capacity/unit-costs.ts';

const USAGE = `Usage: npm run capacity -- FILE [OPTIONS], where FILE is what "npm run bench" printed. Options:
${ASSUMPTION_NAMES.map((name) => `  --${name} N`.padEnd(28) + `${ASSUMPTIONS[name].what} (${ASSUMPTIONS[name].value})`).join('\n')}`;

/** Measured on 2026-11-23: docs/capacity.md, "Sizes". */
const SIZES: Sizes = {
  renditionsKb: 738,
  photoBytes: 1_580,
  renditionBytes: 296,
  orderBytes: 2_960,
  orderRows: 10,
};

/** @throws Error with a sentence for the operator */
function readWords(): { file: string; given: Partial<Record<AssumptionName, string>> } {
  const options = Object.fromEntries(ASSUMPTION_NAMES.map((name) => [name, { type: 'string' as const }]));
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [file, ...more] = positionals;
    if (file === undefined || more.length > 0) throw new Error('Name one file.');
    return { file, given: values as Partial<Record<AssumptionName, string>> };
  } catch (error) {
    throw new Error(`${(error as Error).message}\n${USAGE}`, { cause: error });
  }
}

try {
  const { file, given } = readWords();
  const assumptions = readAssumptions(given);
  console.log(
    reportCapacity(assumptions, readUnitCosts(readFileSync(file, 'utf8'), assumptions['bench-cores']), SIZES),
  );
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
