/** Our two fonts for printed pages: as many letters as a page needs, from the files that browsers get too. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Font } from '@pdf-lib/fontkit';
import { writeFont, type Letter, type PathCommand } from '#src/platform/pdf/outline-font.ts';

/** The weights that the files open with: display 800, text 400. */
export type PrintFontName = 'display' | 'text';

const FAMILIES: Record<PrintFontName, string> = { display: 'bricolage-grotesque', text: 'hanken-grotesk' };
/** Each file holds the letters of one group of languages. */
const SCRIPTS = ['latin', 'latin-ext', 'vietnamese'];
const SPACE = 0x20;

export type PrintFont = {
  /** Whether the font can draw the letter. */
  has: (codePoint: number) => boolean;
  /** A TrueType file with the letters of this text; what the font does not have is left out. */
  fileFor: (text: string) => Buffer;
};

type Fontkit = { create: (bytes: Uint8Array) => Font };

const require = createRequire(import.meta.url);

export async function openPrintFont(fontkit: Fontkit, name: PrintFontName): Promise<PrintFont> {
  const family = FAMILIES[name];
  const files = await Promise.all(
    SCRIPTS.map((script) =>
      readFile(require.resolve(`@fontsource-variable/${family}/files/${family}-${script}-wght-normal.woff2`)),
    ),
  );
  const parts = files.map((bytes) => fontkit.create(bytes));
  const partWith = (codePoint: number) => parts.find((part) => part.hasGlyphForCodePoint(codePoint));
  return {
    has: (codePoint) => partWith(codePoint) !== undefined,
    fileFor(text) {
      const codePoints = new Set([SPACE, ...[...text].map((letter) => letter.codePointAt(0) ?? SPACE)]);
      const letters = [...codePoints].flatMap((codePoint) => {
        const part = partWith(codePoint);
        return part ? [letterOf(part, codePoint)] : [];
      });
      const [{ unitsPerEm, ascent, descent }] = parts as [Font, ...Font[]];
      return writeFont({ name: `Sideline-${name}`, unitsPerEm, ascent, descent }, letters);
    },
  };
}

function letterOf(font: Font, codePoint: number): Letter {
  const glyph = font.glyphForCodePoint(codePoint);
  const { commands } = glyph.path as unknown as { commands: PathCommand[] };
  return { codePoint, advance: glyph.advanceWidth, commands };
}
