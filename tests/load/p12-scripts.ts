/** P12: JavaScript of the public gallery page, before any interaction. */
import type { BenchRow } from '#tests/load/rows.ts';
import { gzipBytes, PUBLIC_GALLERY, scriptsOf } from '#tests/support/page-scripts.ts';

export const scriptsRow: BenchRow = {
  name: 'P12',
  what: 'JavaScript of the public gallery page, gzip',
  measure: async () => {
    const scripts = scriptsOf(PUBLIC_GALLERY);
    return {
      figures: { kB: { value: gzipBytes(scripts) / 1000, must: 140, aim: 115 } },
      details: { files: scripts.size },
    };
  },
};
