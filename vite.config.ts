import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { slimRouter } from './src/web/slim-router.ts';
import { pureContracts } from './src/web/pure-contracts.ts';
import { wall } from './src/web/wall.ts';

const SHARED =
  /[\\/]src[\\/](?:ui|web)[\\/]|[\\/]src[\\/]shared[\\/](?!validators)|[\\/]lucide-react[\\/]|auth-state\.client|shown-photo\.rules/;
const ICON = /[\\/]lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)\.m?js/;
const WORKING =
  /[\\/]src[\\/](?:shared[\\/](?:color|csv|day-range|form-values|oklch)\.|web[\\/](?:frame[\\/])?(?:office-|use-more-rows|use-saved-form|working-)|ui[\\/](?:form[\\/]|photos[\\/])?(?:back-link|badge|checkbox|confirm-dialog|draft-notice|password-field|figure-list|leave-guard|progress|select|paging|switch)\.)/;
/** The forms that visitors fill in, at the checkout and for an expert. */
const FORMS =
  /[\\/]src[\\/](?:ui[\\/](?:form[\\/]|photos[\\/])?(?:error-list|field|money-field|page-header|skeleton|text-area|text-field)|web[\\/]use-form|shared[\\/]form-errors)\./;
const FORM_ICONS = new Set('arrow-left chevron-down external-link image-off trash'.split(' '));
/** The menu of the bar opens one too, and fetches it after the page. */
const DIALOG = /[\\/]src[\\/]ui[\\/]dialog\./;
/** The cart is on every page of an affiliate. */
const CART = /[\\/]src[\\/]features[\\/](?:cart[\\/](?:cart[.-]|ui[\\/])|public-gallery[\\/]ui[\\/]use-mark)/;
/** Of the lightbox or of few forms, fetched later or drawn on few pages: rather a file of their own than a part of every page. */
const APART =
  /[\\/]src[\\/](?:shared[\\/](?:domain-name|slug)|ui[\\/](?:form[\\/]|photos[\\/])?(?:combobox|field-lines|stage-picture|to-top|toast-card)|web[\\/](?:frame[\\/])?(?:error-screens|use-reopening|use-focus-on-error|nav-pictures|home-footer))\.|[\\/]icons[\\/](?:chevron-up|lock|server-crash|timer)\./;
/** The grid of a gallery, which is on several public pages. */
const GALLERY =
  /[\\/]src[\\/](?:ui[\\/](?:form[\\/]|photos[\\/])?(?:photo-tile|photo-grid|goal-bar|search-form|use-photo-links)|shared[\\/]goal|features[\\/](?:public-gallery[\\/](?:ui[\\/]photo-overlay|photos-at-hand\.client)))\./;
/** What visitors see, on public pages and in the bar; every other icon is the working pages'. */
const PUBLIC_ICONS = new Set(
  'circle-alert circle-check eye-off upload info x search-x server-crash lock timer share-2 plus download menu shopping-bag images check heart trophy chevron-up image-plus chevron-left search chevron-right'.split(
    ' ',
  ),
);

/** Pieces that only working pages and forms share: a visitor's gallery does not carry them (tests/page-weight.test.ts). */
function isOfWorkingPages(id: string): boolean {
  const icon = ICON.exec(id)?.[1];
  return icon === undefined ? WORKING.test(id) : !PUBLIC_ICONS.has(icon) && !FORM_ICONS.has(icon);
}

const isOfForms = (id: string) => FORMS.test(id) || FORM_ICONS.has(ICON.exec(id)?.[1] ?? '');

/**
 * Few files, each worth its request: the framework changes seldom, the kit is what pages share. The library of the schemas
 * is apart, so that only pages that check a form in the browser fetch it; contracts come with the pages that use them.
 */
const CHUNKS: { name: string; test: RegExp | ((id: string) => boolean); minShareCount?: number; priority: number }[] = [
  {
    name: 'framework',
    test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|^\0(?:vite[\\/]preload-helper|rolldown[\\/]runtime)/,
    priority: 3,
  },
  {
    name: 'kit',
    test: (id) => SHARED.test(id) && !DIALOG.test(id) && !isOfWorkingPages(id) && !isOfForms(id) && !APART.test(id),
    minShareCount: 3,
    priority: 2.5,
  },
  { name: 'dialog', test: DIALOG, minShareCount: 2, priority: 2.45 },
  { name: 'forms', test: isOfForms, minShareCount: 3, priority: 2.4 },
  { name: 'cart', test: CART, minShareCount: 3, priority: 2.3 },
  { name: 'gallery', test: GALLERY, minShareCount: 2, priority: 2.2 },
  { name: 'working', test: isOfWorkingPages, minShareCount: 3, priority: 2 },
  {
    name: 'schemas',
    test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]shared[\\/]validators\.ts$/,
    priority: 1,
  },
];

const CHUNK_NAMES: ReadonlySet<string> = new Set(CHUNKS.map(({ name }) => name));

/**
 * Without the plugin that empties `*.client.ts` on the server: here the suffix names browser state, whose
 * hooks the server renders too, as empty (docs/decisions/0003-web.md).
 */
const pages = reactRouter().filter((plugin) => plugin.name !== 'react-router:dot-client');

/** Builds the pages: `build/client` for browsers, `build/server` for `src/http/pages.ts`. */
export default defineConfig({
  plugins: [wall(import.meta.dirname), pureContracts(), slimRouter(), tailwindcss(), ...pages],
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
          // Message texts are in contracts; copied to where they are shown, they leave the schemas behind.
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
