import { join } from 'node:path';
import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { slimRouter } from './src/web/slim-router.ts';
import { pureContracts } from './src/web/pure-contracts.ts';
import { serverOnlyImports } from './src/web/server-only-imports.ts';

const SHARED =
  /[\\/]src[\\/](?:ui|web)[\\/]|[\\/]src[\\/]shared[\\/](?!validators)|[\\/]lucide-react[\\/]|auth-state\.client/;
const ICON = /[\\/]lucide-react[\\/].*[\\/]icons[\\/]([\w-]+)\.m?js/;
const WORKING =
  /[\\/]src[\\/](?:shared[\\/](?:color|csv|domain-name|form-values|number-words|oklch|slug)\.|web[\\/](?:frame[\\/])?(?:browser-database|confirm-call|use-load|use-more-rows|use-saved-form|working-)|ui[\\/](?:form[\\/]|photos[\\/])?(?:back-link|badge|checkbox|confirm-dialog|dragging|filter-form|password-field|figure-list|leave-guard|progress|secret-dialog|select|paging|step-heading|switch|use-focus-after|use-focus-nearby)\.)/;
/** The forms for visitors, at the checkout and for an expert. */
const FORMS =
  /[\\/]src[\\/](?:ui[\\/](?:form[\\/]|photos[\\/])?(?:error-list|field|field-lines|money-field|page-header|skeleton|text-area|text-field)|web[\\/]use-(?:form|focus-on-error)|shared[\\/](?:form-errors|random-key))\./;
const FORM_ICONS = new Set('arrow-left chevron-down external-link image-off trash'.split(' '));
/**
 * What pages load after they are interactive, in one file: dialogs, toasts and error screens
 * (src/web/use-preloaded-parts.ts), and the lightbox.
 */
const LATER =
  /[\\/]src[\\/](?:ui[\\/](?:dialog|follow-pages|toast-card|photos[\\/](?:lightbox-frame|stage-picture|use-live-stage))|web[\\/](?:frame[\\/]error-screens|use-reload-when-back)|features[\\/](?:cart[\\/]typed-codes|sharing[\\/]ui[\\/]copy-gallery-link|takedowns[\\/]takedowns\.rules))\.|[\\/]icons[\\/](?:server-crash|timer|zoom-in)\./;
/** Used by few forms, loaded later or shown on few pages: better a file of their own than a part of every page. */
const APART =
  /[\\/]shared[\\/](?:day-range|form-drafts|jpeg-header|photo-limits|markup)|[\\/]src[\\/](?:ui[\\/](?:form[\\/]|photos[\\/])?(?:choices|combobox|live-stage|to-top)|web[\\/](?:frame[\\/])?(?:nav-pictures|home-footer))\.|[\\/]icons[\\/]chevron-up\./;
/** What visitors see, on public pages and in the navigation bar; all other icons are for members' pages. */
const PUBLIC_ICONS = new Set(
  'circle-exclamation-point circle-check eye-off upload info x search-x server-crash lock clock timer share-2 plus download menu shopping-bag images check heart trophy chevron-up image-plus chevron-left search chevron-right'.split(
    ' ',
  ),
);

/**
 * Parts that only members' pages and forms share: a visitor's gallery does not include them
 * (tests/page-weight.test.ts).
 */
function isOfWorkingPages(id: string): boolean {
  const icon = ICON.exec(id)?.[1];
  return icon === undefined ? WORKING.test(id) : !PUBLIC_ICONS.has(icon) && !FORM_ICONS.has(icon);
}

const isOfForms = (id: string) => FORMS.test(id) || FORM_ICONS.has(ICON.exec(id)?.[1] ?? '');

/** The grid of photos and the cart: on the public pages of an affiliate. */
const GALLERY =
  /[\\/]src[\\/](?:ui[\\/](?:form[\\/]|photos[\\/])?(?:photo-tile|photo-grid|photo-rows|goal-bar|search-form|use-one-tab-stop|use-photo-links)|shared[\\/]goal|features[\\/](?:cart[\\/](?:cart[.-]|ui[\\/](?!new-cart|code-field))|galleries[\\/]gallery-link|photos[\\/]shown-photo|public-gallery[\\/](?:ui[\\/](?:photo-overlay|use-reaction)|photos-at-hand)))/;

function isOfKit(id: string): boolean {
  const isElsewhere = [LATER, GALLERY, APART].some((place) => place.test(id));
  return SHARED.test(id) && !isElsewhere && !isOfWorkingPages(id) && !isOfForms(id);
}

/**
 * Few files, each worth its request (decision record 0058): the framework rarely changes, the design kit is what pages
 * share. The schema library is separate, so that only pages that check a form in the browser load it; contracts are
 * bundled with the pages that use them. The first matching group gets the module.
 */
const CHUNKS: { name: string; test: RegExp | ((id: string) => boolean); minShareCount?: number }[] = [
  {
    name: 'framework',
    test: /node_modules[\\/](?:react|react-dom|react-router|scheduler)[\\/]|^\0(?:vite[\\/]preload-helper|rolldown[\\/]runtime)/,
  },
  { name: 'kit', test: isOfKit, minShareCount: 2 },
  { name: 'gallery', test: GALLERY, minShareCount: 2 },
  { name: 'later', test: LATER },
  { name: 'forms', test: isOfForms, minShareCount: 3 },
  { name: 'working', test: isOfWorkingPages, minShareCount: 3 },
  { name: 'schemas', test: /[\\/]node_modules[\\/]zod[\\/]|[\\/]shared[\\/]validators\.ts$/ },
];

/** The first start builds, for people who only want to use the product: no list of slow plugins. */
const QUIET = { bundlerTimings: false };

const CHUNK_NAMES: ReadonlySet<string> = new Set(CHUNKS.map(({ name }) => name));

/**
 * Without the plugin that empties `*.client.ts` on the server: here the suffix means browser state, whose hooks the
 * server renders, too, as empty (docs/decisions/0003-web.md).
 */
const pages = reactRouter().filter((plugin) => plugin.name !== 'react-router:dot-client');

/** Builds the pages: `build/client` for browsers, `build/server` for `src/http/pages.ts`. */
export default defineConfig({
  plugins: [serverOnlyImports(import.meta.dirname), pureContracts(), slimRouter(), tailwindcss(), ...pages],
  resolve: {
    alias: [{ find: /^\.\.\/createLucideIcon\.mjs$/, replacement: join(import.meta.dirname, 'src/ui/create-icon.ts') }],
  },
  // Neither pre-bundled nor external, so that the alias works in development and on the server.
  optimizeDeps: { exclude: ['lucide-react'] },
  ssr: { noExternal: ['lucide-react'] },
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          checks: QUIET,
          // Nothing happens on import. Unused parts of a file are left out of the page.
          treeshake: { moduleSideEffects: [{ test: /[\\/]src[\\/].*\.tsx?$/, sideEffects: false }] },
          // Message texts are in contracts; inlined where they are shown, they leave the schemas behind.
          optimization: { inlineConst: { mode: 'all', pass: 3 } },
          // Short names: every page includes the map of all pages, which contains them.
          output: {
            entryFileNames: 'assets/[hash:7].js',
            chunkFileNames: ({ name }) => (CHUNK_NAMES.has(name) ? 'assets/[name]-[hash:7].js' : 'assets/[hash:7].js'),
            codeSplitting: { groups: CHUNKS.map((group, index) => ({ ...group, priority: CHUNKS.length - index })) },
          },
        },
      },
    },
    ssr: {
      build: {
        target: 'node24',
        // One host loads all pages at its start: what a browser loads later is in the files of another page here.
        rolldownOptions: { input: './src/web/host.ts', checks: { ...QUIET, ineffectiveDynamicImport: false } },
      },
    },
  },
});
