/** Reads a PDF of ours: its page sizes, the text that its fonts draw, and its codes. */
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, PDFRawStream } from '@cantoo/pdf-lib';
import type { DarkAt } from '#tests/support/read-qr.ts';

export type SeenPdf = {
  pages: { width: number; height: number }[];
  title: string | undefined;
  /** Names of the fonts whose letters are in the file. */
  fonts: string[];
  images: number;
  /** Of the first page, line by line. */
  lines: string[];
  /** The same of every page that has text. */
  sheets: string[][];
  /** Codes of the first page, in their order; `side` in points. */
  codes: { size: number; side: number; isDark: DarkAt }[];
};

export async function seePdf(bytes: Uint8Array): Promise<SeenPdf> {
  const pdf = await PDFDocument.load(bytes);
  const objects = pdf.context.enumerateIndirectObjects().map(([, object]) => object);
  const streams = objects.filter((object) => object instanceof PDFRawStream);
  const drawings = streams
    .filter((stream) => !/\/(Subtype|Length1|Type)\b/.test(stream.dict.toString()))
    .map(textOf)
    .filter((text) => text.includes(' Tj'));
  const [drawing] = drawings;
  if (drawing === undefined) throw new Error('nothing is drawn on the page');
  return {
    pages: pdf.getPages().map((page) => page.getSize()),
    title: pdf.getTitle(),
    fonts: objects.flatMap((object) => /\/FontName \/([\w+-]+)/.exec(object.toString())?.[1] ?? []),
    images: streams.filter((stream) => /\/Subtype \/Image/.test(stream.dict.toString())).length,
    lines: linesOf(drawing, alphabetsOf(pdf, 0)),
    sheets: drawings.map((text, index) => linesOf(text, alphabetsOf(pdf, index))),
    codes: codesOf(drawing),
  };
}

const textOf = (stream: PDFRawStream) => Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');

/** For each font of a page, the character of each glyph number: as readers copy text. */
function alphabetsOf(pdf: PDFDocument, page: number): Map<string, Map<string, string>> {
  const fonts = pdf.getPage(page).node.Resources()?.lookup(PDFName.of('Font'), PDFDict);
  return new Map(
    (fonts?.entries() ?? []).map(([name]) => {
      const toUnicode = fonts?.lookup(name, PDFDict).lookup(PDFName.of('ToUnicode'));
      const map = toUnicode instanceof PDFRawStream ? textOf(toUnicode) : '';
      const pairs = [...map.matchAll(/<([0-9A-F]{4})> <([0-9A-F]+)>\n/gi)];
      return [
        name.asString(),
        new Map(
          pairs.map(([, id = '', unicode = '']) => [id, Buffer.from(unicode, 'hex').swap16().toString('utf16le')]),
        ),
      ];
    }),
  );
}

function linesOf(drawing: string, alphabets: ReadonlyMap<string, ReadonlyMap<string, string>>): string[] {
  let alphabet: ReadonlyMap<string, string> = new Map();
  return drawing.split('\n').flatMap((line) => {
    const font = /^(\/\S+) [\d.]+ Tf$/.exec(line)?.[1];
    if (font !== undefined) alphabet = alphabets.get(font) ?? new Map();
    const shown = /^<([0-9A-F]*)> Tj$/i.exec(line)?.[1];
    return shown === undefined ? [] : [shown.replaceAll(/.{4}/g, (id) => alphabet.get(id) ?? '?')];
  });
}

/** Rectangles of one unit's height in units of the code, from the bottom up. */
function codesOf(drawing: string): SeenPdf['codes'] {
  return [...drawing.matchAll(/^([\d.]+) 0 0 \1 [\d.]+ [\d.]+ cm\n((?:\d+ \d+ \d+ 1 re\n)+)/gm)].map(
    ([, scale, rectangles = '']) => {
      const bars = [...rectangles.matchAll(/^(\d+) (\d+) (\d+) 1 re$/gm)].map(([, ...numbers]) => numbers.map(Number));
      const size = Math.max(...bars.map(([column = 0, , length = 0]) => column + length));
      const dark = new Set(
        bars.flatMap(([column = 0, up = 0, length = 0]) =>
          Array.from({ length }, (_, step) => `${size - 1 - up} ${column + step}`),
        ),
      );
      return { size, side: size * Number(scale), isDark: (row, column) => dark.has(`${row} ${column}`) };
    },
  );
}
