import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';
import { wall } from './src/web/wall.ts';

/** Builds the pages: `build/client` for browsers, `build/server` for `src/http/pages.ts`. */
export default defineConfig({
  plugins: [wall(import.meta.dirname), tailwindcss(), reactRouter()],
  build: { target: 'es2022', assetsInlineLimit: 0, reportCompressedSize: false },
  environments: {
    ssr: { build: { target: 'node24', rolldownOptions: { input: './src/web/host.ts' } } },
  },
});
