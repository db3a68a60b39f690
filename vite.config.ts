import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { pureContracts } from './src/web/pure-contracts.ts';
import { wall } from './src/web/wall.ts';

/**
 * Few files, each worth its request: the framework changes seldom, the kit is what many pages share. Whatever one
 * page uses alone stays with it.
 */
const CHUNKS = [
  { name: 'framework', test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/, priority: 2 },
  { name: 'kit', test: /[\\/]src[\\/](?:ui|web|shared)[\\/]|[\\/]lucide-react[\\/]/, minShareCount: 4, priority: 1 },
];

/**
 * Without the plugin that empties `*.client.ts` on the server: in this house the suffix names browser state, whose
 * hooks the server renders too, as empty (docs/decisions/0003-web.md).
 */
const pages = reactRouter().filter((plugin) => plugin.name !== 'react-router:dot-client');

/** Builds the pages: `build/client` for browsers, `build/server` for `src/http/pages.ts`. */
export default defineConfig({
  plugins: [wall(import.meta.dirname), pureContracts(), tailwindcss(), ...pages],
  resolve: {
    alias: [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: join(import.meta.dirname, 'src/ui/create-icon.ts') }],
  },
  // Not prepared in advance and not left outside, so that the alias holds in development and on the server.
  optimizeDeps: { exclude: ['lucide-react'] },
  ssr: { noExternal: ['lucide-react'] },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: { entryFileNames: 'assets/[name]-[hash].js', codeSplitting: { groups: CHUNKS } },
        },
      },
    },
    ssr: { build: { target: 'node24', rolldownOptions: { input: './src/web/host.ts' } } },
  },
});
