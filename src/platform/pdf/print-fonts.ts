/**
 * Our two fonts for printed pages, from the files that browsers get, too, and Inter for the letters that they lack: only
 * the letters that a page needs (decision record 0137).
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font, Glyph } from '@cantoo/fontkit';
// oxlint-disable-next-line import/default -- Node loads the CommonJS build, which has one
import opentype from 'opentype.js';

/** The weights that the files open with: display 800, text 400. */
export type PrintFontName = 'display' | 'text';

const FAMILIES: Record<PrintFontName, { family: string; weight: number }> = {
  display: { family: 'bricolage-grotesque', weight: 800 },
  text: { family: 'hanken-grotesk', weight: 400 },
};
/** Each file contains the letters of one group of languages. */
const SUBSETS = ['latin', 'latin-ext', 'vietnamese'];
const SUBSETS_OF_INTER = ['cyrillic', 'cyrillic-ext', 'greek', 'greek-ext'];
/** Its files have control characters, too. */
const LETTERS_OF_INTER = /[\p{Script=Cyrillic}\p{Script=Greek}]/u;
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
  const { family, weight } = FAMILIES[name];
  const open = async (file: string) => fontkit.create(await readFile(require.resolve(file))) as Font;
  const own = SUBSETS.map((each) => open(`@fontsource-variable/${family}/files/${family}-${each}-wght-normal.woff2`));
  const inter = SUBSETS_OF_INTER.map((each) => open(`@fontsource/inter/files/inter-${each}-${weight}-normal.woff2`));
  const [parts, others] = await Promise.all([Promise.all(own), Promise.all(inter)]);
  const partWith = (codePoint: number) =>
    (LETTERS_OF_INTER.test(String.fromCodePoint(codePoint)) ? [...parts, ...others] : parts).find((part) =>
      part.hasGlyphForCodePoint(codePoint),
    );
  return {
    has: (codePoint) => partWith(codePoint) !== undefined,
    fileFor(text) {
      const [{ unitsPerEm, ascent: ascender, descent: descender }] = parts as [Font, ...Font[]];
      const codePoints = new Set([SPACE, ...[...text].map((letter) => letter.codePointAt(0) ?? SPACE)]);
      const glyphs = [...codePoints].flatMap((codePoint) => {
        const part = partWith(codePoint);
        const glyph = part?.glyphForCodePoint(codePoint);
        return part && glyph ? [copyOf(glyph, codePoint, unitsPerEm / part.unitsPerEm)] : [];
      });
      const missing = new opentype.Glyph({ name: '.notdef', advanceWidth: unitsPerEm / 2, path: new opentype.Path() });
      const facts = { familyName: `Sideline-${name}`, styleName: 'Regular', unitsPerEm, ascender, descender };
      return new opentype.Font({ ...facts, glyphs: [missing, ...glyphs] }).toArrayBuffer();
    },
  };
}

/** @param scale to the size of our own font */
function copyOf({ advanceWidth, path }: Glyph, codePoint: number, scale: number): opentype.Glyph {
  const outline = new opentype.Path();
  for (const { command, args } of path.commands) {
    const [a = 0, b = 0, c = 0, d = 0] = args.map((unit) => unit * scale);
    if (command === 'moveTo') outline.moveTo(a, b);
    else if (command === 'lineTo') outline.lineTo(a, b);
    else if (command === 'quadraticCurveTo') outline.quadraticCurveTo(a, b, c, d);
    else outline.close();
  }
  const name = `u${codePoint.toString(16)}`;
  return new opentype.Glyph({ name, unicode: codePoint, advanceWidth: advanceWidth * scale, path: outline });
}
