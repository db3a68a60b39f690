/**
 * `node tests/support/make-site.ts FOLDER`: the demo's data, filled once, from which each part of the browser tests
 * starts its site.
 */
import { startProduct } from '#tests/load/product.ts';

const [folder = ''] = process.argv.slice(2);
const product = await startProduct({ DATA_DIR: folder, DEMO: 'on' });
await product.stop({ keep: true });
