import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { pureContracts } from './src/web/pure-contracts.ts';
import { wall } from './src/web/wall.ts';

const SHARED = /[\\/]src[\\/](?:ui|web)[\\/]|[\\/]src[\\/]shared[\\/](?!validators)|[\\/]lucide-react[\\/]/;
const ICON = /[\\/]lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)\.m?js/;
const DESK =
  /[\\/]src[\\/](?:shared[\\/](?:csv|day-range)\.|web[\\/]office-|ui[\\/](?:badge|bar-chart|checkbox|choice-field|confirm-dialog|error-list|figure-list|money-field|page-header|progress|select|skeleton|older-links|show-more|sticky-save-bar|switch|tab-links)\.)/;
/** What visitors see, on public pages and in the bar; every other icon is the working pages'. */
const PUBLIC_ICONS = new Set(
  'circle-alert circle-check info x search-x server-crash lock timer chart-column eye-off layout-dashboard log-out plus settings-2 download upload star menu shopping-bag images check heart trophy image-plus chevron-left search chevron-right'.split(
    ' ',
  ),
);

/** Pieces that only working pages and forms share: a visitor's gallery does not carry them (tests/page-weight.test.ts). */
function isOfDesk(id: string): boolean {
  const icon = ICON.exec(id)?.[1];
  return icon === undefined ? DESK.test(id) : !PUBLIC_ICONS.has(icon);
}

/**
 * Few files, each worth its request: the framework changes seldom, the kit is what pages share. The library of the schemas
 * stands apart, so that only pages that check a form in the browser fetch it; contracts come with the pages that use them.
 */
const CHUNKS: { name: string; test: RegExp | ((id: string) => boolean); minShareCount?: number; priority: number }[] = [
  { name: 'framework', test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
  {
    name: 'kit',
    test: (id) => SHARED.test(id) && !isOfDesk(id),
    minShareCount: 3,
    priority: 2.5,
  },
  { name: 'desk', test: isOfDesk, minShareCount: 3, priority: 2 },
  {
    name: 'schemas',
    test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]shared[\\/]validators\.ts$/,
    priority: 1,
  },
];

const CHUNK_NAMES: ReadonlySet<string> = new Set(CHUNKS.map(({ name }) => name));

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
          // House rule: nothing happens on import. What a page does not use of a file, it does not carry.
          treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/].*\.tsx?$/, sideEffects: false }] },
          // Message texts stand in contracts; copied to where they are shown, they leave the schemas behind.
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          // Short names: the map of all pages, which every page carries, is made of them.
          output: {
            entryFileNames: 'assets/[hash:7].js',
            chunkFileNames: ({ name }) => (CHUNK_NAMES.has(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
            codeSplitting: { groups: CHUNKS },
          },
        },
      },
    },
    ssr: { build: { target: 'node24', rolldownOptions: { input: './src/web/host.ts' } } },
  },
});
