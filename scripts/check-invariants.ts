/**
 * `npm run check:invariants`: prints rows that violate an invariant; exit 1 if there are any. For a running product or
 * a stopped one. `--at TIME` is for rows of a backup: what was in progress when it was made is not late.
 */
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { describeFailedStart } from '#src/platform/processes/messages.ts';
import { StartError } from '#src/platform/processes/start-error.ts';
import { readCommandLine } from './command-line.ts';
import { openProductData } from './product-data.ts';

const USAGE = 'Usage: npm run check:invariants -- [--at TIME]';

function readTime(): Date | undefined {
  const { values, positionals } = readCommandLine({ at: { type: 'string' } }, USAGE);
  const at = values.at === undefined ? undefined : new Date(values.at);
  if (positionals.length > 0 || Number.isNaN(at?.getTime())) throw new StartError(USAGE);
  return at;
}

try {
  const at = readTime();
  const beside = await openProductData('invariants check');
  const sandboxCards = !process.env.STRIPE_SECRET_KEY;
  const violations = await checkInvariants({ database: beside.database, sandboxCards, at }).finally(() =>
    beside.close(),
  );
  for (const violation of violations) console.log(violation);
  console.log(`${violations.length} violations`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} catch (error) {
  console.error(describeFailedStart(error));
  process.exitCode = 2;
}
