/** `npm run storage:check`: prints where rows and stored objects disagree; exit 1 if they do. Beside a running product or without one. */
import { checkStorage } from '#src/features/pictures/photos-storage-check.service.ts';
import { openBesideTheProduct } from './beside-the-product.ts';

try {
  const beside = await openBesideTheProduct('storage check');
  const violations = await checkStorage(beside).finally(() => beside.close());
  for (const violation of violations) console.log(violation);
  console.log(violations.length === 0 ? 'Rows and objects agree.' : `${violations.length} violations.`);
  process.exitCode = violations.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 2;
}
