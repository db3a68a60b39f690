/** Our two fonts for printed pages: only the letters that a page needs, from the files that browsers get, too. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font, Glyph } from '@cantoo/fontkit';
// oxlint-disable-next-line import/default -- Node loads the CommonJS build, which has one
import opentype from 'opentype.js';

/** The weights that the files open with: display 800, text 400. */
export type PrintFontName = 'display' | 'text';

const FAMILIES: Record<PrintFontName, string> = { display: 'bricolage-grotesque', text: 'hanken-grotesk' };
/** Each file contains the letters of one group of languages. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'];
const SPACE = 0x20;

export type PrintFont = {
  /** Whether the font can draw the letter. */
  has: (codePoint: number) => boolean;
  /**
   * An OpenType file with the letters of this text, without those that the font does not have. PDF does not support our
   * own files, which are compressed, variable and split by language. Embed it with `subset`: pdf-lib mislabels a whole
   * file of this kind.
   */
  fileFor: (text: string) => ArrayBuffer;
};

type Fontkit = { create: (bytes: Uint8Array) => unknown };

const require = createRequire(import.meta.url);

export async function openPrintFont(fontkit: Fontkit, name: PrintFontName): Promise<PrintFont> {
  const family = FAMILIES[name];
  const files = await Promise.all(
    SUBSETS.map((subset) =>
      readFile(require.resolve(`@fontsource-variable/${family}/files/${family}-${subset}-wght-normal.woff2`)),
    ),
  );
  const parts = files.map((bytes) => fontkit.create(bytes) as Font);
  const partWith = (codePoint: number) => parts.find((part) => part.hasGlyphForCodePoint(codePoint));
  return {
    has: (codePoint) => partWith(codePoint) !== undefined,
    fileFor(text) {
      const codePoints = new Set([SPACE, ...[...text].map((letter) => letter.codePointAt(0) ?? SPACE)]);
      const glyphs = [...codePoints].flatMap((codePoint) => {
        const glyph = partWith(codePoint)?.glyphForCodePoint(codePoint);
        return glyph ? [copyOf(glyph, codePoint)] : [];
      });
      const [{ unitsPerEm, ascent: ascender, descent: descender }] = parts as [Font, ...Font[]];
      const missing = new opentype.Glyph({ name: '.notdef', advanceWidth: unitsPerEm / 2, path: new opentype.Path() });
      const facts = { familyName: `Sideline-${name}`, styleName: 'Regular', unitsPerEm, ascender, descender };
      return new opentype.Font({ ...facts, glyphs: [missing, ...glyphs] }).toArrayBuffer();
    },
  };
}

function copyOf({ advanceWidth, path }: Glyph, codePoint: number): opentype.Glyph {
  const outline = new opentype.Path();
  for (const { command, args } of path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args;
    if (command === 'moveTo') outline.moveTo(a, b);
    else if (command === 'lineTo') outline.lineTo(a, b);
    else if (command === 'quadraticCurveTo') outline.quadraticCurveTo(a, b, c, d);
    else outline.close();
  }
  return new opentype.Glyph({ name: `u${codePoint.toString(16)}`, unicode: codePoint, advanceWidth, path: outline });
}
