/**
 * Loaded by every Node process of a product whose memory P18 measures: on SIGUSR2 it collects garbage and writes what
 * the heap and buffers still hold, in bytes, to a file named by the process in `KEPT_MEMORY_DIR`.
 * Plain JavaScript: Node's loader of TypeScript would add to the memory of each process.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { isMainThread } from 'node:worker_threads';

const folder = process.env['KEPT_MEMORY_DIR'];
if (folder !== undefined && isMainThread) {
  setFlagsFromString('--expose-gc');
  const collect = /** @type {() => void} */ (runInNewContext('gc'));
  const file = join(folder, String(process.pid));
  // An empty file says that this process listens.
  writeFileSync(file, '');
  process.on('SIGUSR2', () => {
    collect();
    // What finalizers of the first collection release, the second frees.
    setImmediate(() => {
      collect();
      const { heapUsed, external } = process.memoryUsage();
      writeFileSync(`${file}.new`, String(heapUsed + external));
      renameSync(`${file}.new`, file);
    });
  });
}
