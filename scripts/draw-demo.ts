/**
 * Draws the demo's pictures again: `node scripts/draw-demo.ts [gallery [beginning of a file name]]`, for example
 * `node scripts/draw-demo.ts spring-cup-final 09`; `homes` draws the home images and marks only.
 */
import { join } from 'node:path';
import { drawDemo } from '#src/demo/pictures/draw-demo.ts';

const [gallery, file] = process.argv.slice(2);
await drawDemo(join(import.meta.dirname, '../demo/pictures'), {
  ...(gallery && { gallery }),
  ...(file && { file }),
  told: (line) => process.stdout.write(`${line}\n`),
});
