/**
 * Printed pages of text and tables. Each letter is mapped to its glyph once and drawn by plain operators, so that tens
 * of thousands of cells take milliseconds; our fonts have neither kerning nor ligatures, so a word is as wide as its
 * letters. The same input gives the same bytes: nothing in the file is random or depends on the day.
 */
import type * as PdfLibrary from '@cantoo/pdf-lib';
import type { PDFFont, PDFImage, PDFOperator, PDFPage } from '@cantoo/pdf-lib';
import type { PrintFont, PrintFontName } from '#src/platform/pdf/print-fonts.ts';

/** US letter, in points of 1/72 inch; counted from the bottom left. */
export const LETTER = { width: 612, height: 792 } as const;

/** A QR code as its library makes it. */
export type Modules = { size: number; get(row: number, column: number): number | boolean };
/** A picture that is in the file once, however often it is drawn; its size in pixels. */
export type Picture = { readonly width: number; readonly height: number; readonly image: PDFImage };

/** Red, green and blue from 0 to 1. */
export type Tone = readonly [number, number, number];
/** Of all that is printed: running text, and what is less important. */
export const INK: Tone = [0.08, 0.09, 0.1];
export const QUIET: Tone = [0.36, 0.39, 0.44];
export type Words = { font: PrintFontName; size: number; tone: Tone };

export type Sheet = {
  /** Draws one line of text; with `right`, `x` is where it ends. */
  text(words: Words, text: string, place: { x: number; y: number; right?: boolean }): void;
  /** A thin line. */
  rule(tone: Tone, place: { x: number; y: number; width: number; thickness?: number }): void;
  box(tone: Tone, place: { x: number; y: number; width: number; height: number }): void;
  /** A QR code in black; the caller leaves the white margin. */
  code(modules: Modules, place: { x: number; y: number; side: number }): void;
  picture(picture: Picture, place: { x: number; y: number; width: number; height: number }): void;
};

export type Sheets = {
  /** Points. */
  widthOf(words: Pick<Words, 'font' | 'size'>, text: string): number;
  add(): Sheet;
  /** Null for bytes that are not a picture. */
  embed(picture: { bytes: Buffer; contentType: string }): Promise<Picture | null>;
  /** All pages so far, in their order. */
  pages: readonly Sheet[];
  save(): Promise<Buffer>;
};

type Fonts = Record<PrintFontName, PrintFont>;
type Cases = Record<PrintFontName, ReturnType<typeof caseOf>>;
let opened: Promise<Fonts> | undefined;

/** Opened for the first page and cached: opening takes longer than drawing a page. */
function openFonts(): Promise<Fonts> {
  opened ??= (async () => {
    const [fontkit, { openPrintFont }] = await Promise.all([
      import('@cantoo/fontkit'),
      import('#src/platform/pdf/print-fonts.ts'),
    ]);
    const [display, text] = await Promise.all([openPrintFont(fontkit, 'display'), openPrintFont(fontkit, 'text')]);
    return { display, text };
  })();
  opened.catch(() => (opened = undefined));
  return opened;
}

/** Which letters printed pages can show. */
export async function openAlphabet(): Promise<{ has(codePoint: number): boolean }> {
  const { display, text } = await openFonts();
  return { has: (codePoint) => display.has(codePoint) && text.has(codePoint) };
}

/**
 * @param letters all that will be written, in any order: nothing else can be drawn afterwards @param at the creation
 * date in the file @param paper of each page; US letter if it is left out
 */
export async function openSheets(file: {
  title: string;
  letters: string;
  at: Date;
  paper?: { width: number; height: number };
}): Promise<Sheets> {
  const [library, fontkit, prints] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('@cantoo/fontkit'),
    openFonts(),
  ]);
  const { width, height } = file.paper ?? LETTER;
  const pdf = await library.PDFDocument.create({ updateMetadata: false });
  pdf.registerFontkit(fontkit);
  pdf.setTitle(file.title);
  pdf.setCreationDate(file.at);
  pdf.setModificationDate(file.at);
  pdf.setLanguage('en-US');
  const letters = [...new Set(file.letters)].toSorted().join('');
  const embed = (name: PrintFontName) =>
    pdf.embedFont(prints[name].fileFor(letters), { customName: `Sideline-${name}`, subset: true });
  const fonts = { display: caseOf(await embed('display')), text: caseOf(await embed('text')) };
  const sheets: Sheet[] = [];

  return {
    widthOf: ({ font, size }, text) => fonts[font].widthOf(text) * size,
    pages: sheets,
    add() {
      const sheet = sheetOn(pdf.addPage([width, height]), fonts, library);
      sheets.push(sheet);
      return sheet;
    },
    async embed({ bytes, contentType }) {
      try {
        const image = contentType === 'image/png' ? await pdf.embedPng(bytes) : await pdf.embedJpg(bytes);
        return { width: image.width, height: image.height, image };
      } catch {
        return null;
      }
    },
    save: async () => Buffer.from(await pdf.save({ objectsPerTick: 4 })),
  };
}

/** Draws on a page. */
function sheetOn(page: PDFPage, fonts: Cases, library: typeof PdfLibrary): Sheet {
  const { beginText, endText, setFontAndSize, setFillingRgbColor, setTextMatrix, showText, PDFHexString } = library;
  const { rectangle, fill, concatTransformationMatrix, pushGraphicsState, popGraphicsState } = library;
  const keys = {
    display: page.node.newFontDictionary('display', fonts.display.font.ref),
    text: page.node.newFontDictionary('text', fonts.text.font.ref),
  };
  const draw = (...operators: PDFOperator[]) => page.pushOperators(...operators);
  const box: Sheet['box'] = (tone, { x, y, width, height }) =>
    draw(setFillingRgbColor(...tone), rectangle(x, y, width, height), fill());
  return {
    text({ font, size, tone }, text, { x, y, right = false }) {
      const letterCase = fonts[font];
      const left = right ? x - letterCase.widthOf(text) * size : x;
      draw(
        beginText(),
        setFillingRgbColor(...tone),
        setFontAndSize(keys[font], size),
        setTextMatrix(1, 0, 0, 1, round(left), round(y)),
        showText(PDFHexString.of(letterCase.hexOf(text))),
        endText(),
      );
    },
    rule: (tone, { x, y, width, thickness = 0.5 }) => box(tone, { x, y, width, height: thickness }),
    box,
    code(modules, { x, y, side }) {
      const scale = side / modules.size;
      draw(
        pushGraphicsState(),
        setFillingRgbColor(0, 0, 0),
        concatTransformationMatrix(scale, 0, 0, scale, x, y),
        ...barsOf(modules).map(([row, column, length]) => rectangle(column, modules.size - 1 - row, length, 1)),
        fill(),
        popGraphicsState(),
      );
    },
    picture: ({ image }, place) => page.drawImage(image, place),
  };
}

/** Adjacent dark modules are one bar. */
function barsOf(modules: Modules): [row: number, column: number, length: number][] {
  const { size } = modules;
  const bars: [number, number, number][] = [];
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      let end = column;
      while (end < size && modules.get(row, end)) end++;
      if (end > column) bars.push([row, column, end - column]);
      column = end;
    }
  return bars;
}

const round = (points: number) => Math.round(points * 100) / 100;

/** The glyph of each letter, and its width at size 1. */
function caseOf(font: PDFFont) {
  const known = new Map<string, { hex: string; width: number }>();
  const letterOf = (letter: string) => {
    let found = known.get(letter);
    if (!found) {
      const hex = font.encodeText(letter).toString().slice(1, -1);
      known.set(letter, (found = { hex, width: font.widthOfTextAtSize(letter, 1) }));
    }
    return found;
  };
  return {
    font,
    hexOf(text: string): string {
      let hex = '';
      for (const letter of text) hex += letterOf(letter).hex;
      return hex;
    },
    widthOf(text: string): number {
      let width = 0;
      for (const letter of text) width += letterOf(letter).width;
      return width;
    },
  };
}
