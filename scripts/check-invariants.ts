/**
 * `npm run check:invariants`: prints rows that violate an invariant; exit 1 if there are any. For a running product or
 * a stopped one. `--at TIME` is for rows of a backup: what was in progress when it was made is not late.
 */
import { parseArgs } from 'node:util';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { openProductData } from './product-data.ts';

try {
  const { at } = parseArgs({ options: { at: { type: 'string' } } }).values;
  const beside = await openProductData('invariants check');
  const sandboxCards = !process.env.STRIPE_SECRET_KEY;
  const violations = await checkInvariants({
    database: beside.database,
    sandboxCards,
    at: at === undefined ? undefined : new Date(at),
  }).finally(() => beside.close());
  for (const violation of violations) console.log(violation);
  console.log(`${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
