/**
 * Draws a statement on US letter: a summary, then tables that continue over pages, each with its headings and "Page 2 of 9"
 * below. Long names take a second line or end in "…"; emails with letters that our fonts lack are approximated. Between pages
 * other work gets its turn, so that a long statement delays no one.
 */
import { setImmediate } from 'node:timers/promises';
import { printable, rgbOf, wrapText } from '#src/features/sharing/qr-card.rules.ts';
import * as rules from '#src/features/statements/statement-print.rules.ts';
import { monthWords, type Statement, type StatementLine } from '#src/features/statements/statements.rules.ts';
import {
  INK,
  LETTER,
  openAlphabet,
  openSheets,
  QUIET,
  type Sheet,
  type Sheets,
  type Tone,
  type Words,
} from '#src/platform/pdf/text-sheets.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars } from '#src/shared/money.ts';
import type { Note } from '#src/features/statements/statement-print.rules.ts';

const MARGIN = 48;
const WIDTH = LETTER.width - 2 * MARGIN;
const TOP = LETTER.height - 62;
const BOTTOM = 58;
const HAIRLINE: Tone = [0.85, 0.83, 0.79];
const BODY: Words = { font: 'text', size: 9, tone: INK };
const SMALL: Words = { font: 'text', size: 8, tone: QUIET };
const STRONG: Words = { font: 'display', size: 9, tone: INK };
const LEADING = 13;
const CELL_GAP = 6;
/** The rest of a cell is cut off. */
const MOST_CELL_LINES = 2;
const FIXED_WORDS = 'Statement for Number Page of to In progress. Opening balance Closing balance …·–- 0123456789';
const ASCII = /^[ -~]*$/;

/** The file; the same bytes for the same statement. */
export async function printStatement(statement: Statement, lines: readonly StatementLine[]): Promise<Buffer> {
  const alphabet = await openAlphabet();
  const drawn = (text: string) =>
    ASCII.test(text) ? text : printable(text, alphabet.has, text.replaceAll(/[^ -~]/g, ''));
  const names = new Map<string, string>();
  const plain = (text: string) => names.get(text) ?? (names.set(text, drawn(text)), names.get(text) ?? '');
  const { organization, account, month, number } = statement;
  const title = `${plain(organization.name) || `Organization ${organization.id}`}: ${monthWords(month)}`;
  const tables = rules.tablesOf(statement, lines);
  for (const { rows } of tables)
    for (const row of rows)
      row.cells = row.cells.map((cell, index) =>
        index === 0 && row.otherwise !== undefined ? named(plain(cell), cell, row.otherwise) : plain(cell),
      );
  const notes = rules.notesOf(account).map((note) => ({ ...note, why: plain(note.why), words: plain(note.words) }));
  const movements = rules.shownMovements(account).map(({ words, amount }) => ({ words: plain(words), amount }));
  const texts = [FIXED_WORDS, title, number, ...movements.flatMap(Object.values), ...notes.flatMap(Object.values)];
  const letters = new Set(`${texts.join('')}${formatDollars(account.closingCents)}${statement.from}${statement.to}`);
  for (const { title: heading, columns, rows } of tables) {
    for (const text of [heading, ...columns.map(({ head }) => head)]) for (const letter of text) letters.add(letter);
    for (const { cells } of rows) for (const cell of cells) for (const letter of cell) letters.add(letter);
  }
  const sheets = await openSheets({
    title: `Statement ${number}, ${title}`,
    letters: [...letters].join(''),
    at: new Date(`${statement.to}T00:00:00Z`),
  });
  const paper: Paper = { sheets, sheet: sheets.add(), y: TOP };
  drawHead(paper, statement, plain(organization.name) || `Organization ${organization.id}`);
  drawSummary(paper, {
    opening: formatDollars(account.openingCents),
    closing: formatDollars(account.closingCents),
    movements,
    notes,
  });
  for (const table of tables) await drawTable(paper, table);
  sheets.pages.forEach((sheet, index) => {
    sheet.text(SMALL, `${number} · ${title}`.slice(0, 90), { x: MARGIN, y: 34 });
    sheet.text(SMALL, `Page ${index + 1} of ${sheets.pages.length}`, { x: MARGIN + WIDTH, y: 34, right: true });
  });
  return sheets.save();
}

/** A name of which less than half can be drawn is replaced by its number. */
function named(drawn: string, name: string, otherwise: string): string {
  const has = (text: string) => text.replaceAll(/[^\p{L}\p{N}]/gu, '').length;
  if (has(drawn) * 2 > has(name)) return drawn;
  return drawn.trim() === '' ? otherwise : `${otherwise}: ${drawn.trim()}`;
}

/** `y`: where the next element may begin, downwards. */
type Paper = { sheets: Sheets; sheet: Sheet; y: number };

function drawHead(paper: Paper, { month, from, to, number, closed, organization }: Statement, name: string): void {
  const { sheets, sheet } = paper;
  sheet.box(rgbOf(organization.primaryColor), { x: 0, y: LETTER.height - 12, width: LETTER.width, height: 12 });
  const heading: Words = { font: 'display', size: 20, tone: INK };
  for (const line of fitLines(sheets, heading, name, WIDTH, 2)) {
    sheet.text(heading, line, { x: MARGIN, y: paper.y });
    paper.y -= 24;
  }
  sheet.text({ ...heading, size: 13 }, `Statement for ${monthWords(month)}`, { x: MARGIN, y: paper.y });
  sheet.text(SMALL, `Number ${number}`, { x: MARGIN + WIDTH, y: paper.y, right: true });
  paper.y -= 15;
  sheet.text(SMALL, `${shownDay(from)} to ${shownDay(to)}${closed ? '' : '. In progress.'}`, {
    x: MARGIN,
    y: paper.y,
  });
  paper.y -= 22;
}

type Summary = {
  opening: string;
  closing: string;
  movements: readonly { words: string; amount: string }[];
  notes: readonly Note[];
};

function drawSummary(paper: Paper, { opening, closing, movements, notes }: Summary): void {
  const end = MARGIN + 300;
  const line = (words: Words, text: string, amount: string) => {
    paper.sheet.text(words, text, { x: MARGIN, y: paper.y });
    paper.sheet.text(words, amount, { x: end, y: paper.y, right: true });
    paper.y -= 15;
  };
  const rule = () => paper.sheet.rule(HAIRLINE, { x: MARGIN, y: paper.y + 11, width: 300 });
  line(STRONG, 'Opening balance', opening);
  rule();
  for (const { words, amount } of movements) line(BODY, words, amount);
  rule();
  paper.y -= 3;
  line({ ...STRONG, size: 11 }, 'Closing balance', closing);
  paper.y -= 6;
  for (const { words, amount, why } of notes) {
    line(BODY, words, amount);
    paper.sheet.text(SMALL, why, { x: MARGIN, y: paper.y + 3 });
    paper.y -= 13;
  }
  paper.y -= 10;
}

async function drawTable(paper: Paper, table: rules.PrintTable): Promise<void> {
  if (paper.y < BOTTOM + 90) turnPage(paper);
  paper.sheet.text({ font: 'display', size: 12, tone: INK }, table.title, { x: MARGIN, y: paper.y });
  paper.y -= 20;
  drawColumnHeads(paper, table.columns);
  for (const [place, row] of table.rows.entries()) {
    const cells = row.cells.map((cell, index) => {
      const column = table.columns[index];
      const width = row.cells.length === 1 ? WIDTH : (column?.width ?? 0) - CELL_GAP;
      return fitLines(paper.sheets, row.bold ? STRONG : BODY, cell, width, column?.right ? 1 : MOST_CELL_LINES);
    });
    const height = Math.max(...cells.map((lines) => lines.length)) * LEADING;
    // The closing row of a table is never alone on a page.
    const closing = place === table.rows.length - 2 && table.rows.at(-1)?.ruled ? LEADING : 0;
    if (paper.y - height - closing < BOTTOM) {
      turnPage(paper);
      drawColumnHeads(paper, table.columns);
      await setImmediate();
    }
    drawRow(paper, table.columns, { ...row, lines: cells });
    paper.y -= height;
  }
  paper.y -= 22;
}

function drawRow(paper: Paper, columns: readonly rules.PrintColumn[], row: rules.PrintRow & { lines: string[][] }) {
  const words = row.bold ? STRONG : BODY;
  if (row.ruled) paper.sheet.rule(HAIRLINE, { x: MARGIN, y: paper.y + 10, width: WIDTH });
  let x = MARGIN;
  row.lines.forEach((lines, index) => {
    const column = columns[index];
    if (!column) return;
    lines.forEach((text, below) => {
      if (text === '') return;
      const y = paper.y - below * LEADING;
      if (column.right) paper.sheet.text(words, text, { x: x + column.width, y, right: true });
      else paper.sheet.text(words, text, { x, y });
    });
    x += column.width;
  });
}

function drawColumnHeads(paper: Paper, columns: readonly rules.PrintColumn[]): void {
  const lines = columns.map(({ head, width }) => fitLines(paper.sheets, SMALL, head, width - CELL_GAP, 2));
  const most = Math.max(...lines.map((each) => each.length));
  let x = MARGIN;
  columns.forEach((column, index) => {
    const own = lines[index] ?? [];
    own.forEach((text, below) => {
      const y = paper.y - (most - own.length + below) * 10;
      if (column.right) paper.sheet.text(SMALL, text, { x: x + column.width, y, right: true });
      else paper.sheet.text(SMALL, text, { x, y });
    });
    x += column.width;
  });
  paper.y -= most * 10 - 4;
  paper.sheet.rule(QUIET, { x: MARGIN, y: paper.y, width: WIDTH });
  paper.y -= LEADING;
}

function turnPage(paper: Paper): void {
  paper.sheet = paper.sheets.add();
  paper.y = TOP + 14;
}

/** At most this many lines of this width; a longer text ends in "…". */
function fitLines(sheets: Sheets, words: Pick<Words, 'font' | 'size'>, text: string, width: number, most: number) {
  const measure = (part: string) => sheets.widthOf(words, part);
  if (measure(text) <= width) return [text];
  const lines = wrapText(text, { width, size: words.size, measure });
  if (lines.length <= most) return lines;
  let last = lines[most - 1] ?? '';
  while (last !== '' && measure(`${last}…`) > width) last = last.slice(0, -1);
  return [...lines.slice(0, most - 1), `${last}…`];
}
