/** `npm run specimens`: the components of the design kit in their states, on one page. Reload to see a change. */
import { serveSpecimens } from '#tests/support/specimens/serve.ts';

const specimens = await serveSpecimens();
console.log(`Design kit: ${specimens.url} (Ctrl+C ends it)`);
process.once('SIGINT', () => void specimens.close().then(() => process.exit(0)));
