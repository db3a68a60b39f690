/**
 * `node tests/support/make-site.ts FOLDER`: the demo's data, filled once, from which each part of the browser tests
 * starts its site.
 */
import { DEMO_PASSWORD } from '#src/demo/demo-plan.ts';
import { withClient } from '#src/platform/db/client.ts';
import { cheapHash } from '#tests/support/cheap-hash.ts';
import { startProduct } from '#tests/load/product.ts';

const [folder = ''] = process.argv.slice(2);
const product = await startProduct({ DATA_DIR: folder, DEMO: 'on' });
// Checking a real hash takes 25 ms of processor time, and most tests log someone in.
await withClient(product.ownerUrl, (client) =>
  client.query("update users set password_hash = $1 where email like '%.test'", [cheapHash(DEMO_PASSWORD)]),
);
await product.stop({ keep: true });
