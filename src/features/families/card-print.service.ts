/**
 * Prints the cards of a team, sorted by name. Athletes without a card get one. Blank cards are new ones each time, so
 * that two sheets never have the same codes. The QR code contains the address of the family page with the card's key
 * after #.
 */
import {
  cutMarks,
  PAPER_SIZES,
  PHOTO_DAY_CODE,
  placesOn,
  WALLET,
  WALLET_CODE,
  type Box,
} from '#src/features/families/card-layout.rules.ts';
import * as words from '#src/features/families/cards.contract.ts';
import * as cardsSql from '#src/features/families/cards.sql.ts';
import { makeSecrets, openSecrets, type CardDeps, type CardSecrets } from '#src/features/families/cards.service.ts';
import { familyPath, printedCode, shortName } from '#src/features/families/families.rules.ts';
import { QUIET_MODULES, printable, readableAddress, within, wrapText } from '#src/features/sharing/qr-card.rules.ts';
import { logoOf } from '#src/features/sharing/qr-card.service.ts';
import { requireUser, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { editedBy, type OrganizationService, hostLabelOf } from '#src/features/tenancy/organizations.service.ts';
import type { Clock } from '#src/platform/clock.ts';
import { tenantScope } from '#src/platform/db/db.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import {
  INK,
  openAlphabet,
  openSheets,
  QUIET,
  type Modules,
  type Picture,
  type Sheet,
  type Sheets,
  type Tone,
  type Words,
} from '#src/platform/pdf/text-sheets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import { DAY_SECONDS } from '#src/shared/dates.ts';

type CardPrintDeps = Omit<CardDeps, 'organizations' | 'audit' | 'consent'> & {
  clock: Clock;
  limits: Limits;
  organizations: Pick<OrganizationService, 'byId' | 'picture'>;
  origin: SiteOrigin;
};
export type CardPrinting = ReturnType<typeof createCardPrinting>;

const OWNERS = { kind: 'system', why: 'a team is looked up before its organization is known' } as const;
const HAIRLINE: Tone = [0.6, 0.6, 0.6];
const PRINTS_A_MINUTE = 20;
/** Pages of blank cards of one organization. */
const BLANK_PAGES_A_DAY = 100;

/** The text of one card. `name` is null when it will be written by hand: on blank cards, and if our fonts lack its letters. */
type Printed = { name: string | null; line: string; isBlank: boolean; code: string; modules: Modules };
type Paper = { sheets: Sheets; logo: Picture | null; club: string; address: string };

/** Creates the PDF. @throws unauthenticated; not_found for teams of others; invalid when no one is on the team; too_many */
export async function print(
  ctx: CardPrintDeps,
  caller: Caller,
  teamId: number,
  { layout, paper, athlete }: words.PrintQuery,
): Promise<Buffer> {
  const { userId } = requireUser(caller.actor);
  const team = await ctx.database.read(OWNERS, (db) => cardsSql.findTeam(db, teamId));
  if (!team) throw notFound(words.TEAM_NOT_FOUND);
  const owner = await editedBy(ctx.organizations, caller, team.organizationId, words.TEAM_NOT_FOUND);
  await ctx.limits.take({ bucket: `cards:print:${userId}`, limit: PRINTS_A_MINUTE, windowSeconds: 60 });
  const people = layout === 'blank' ? await blanks(ctx, owner) : await players(ctx, owner, teamId, athlete);
  if (people.length === 0) throw problem('invalid', words.NO_ONE_TO_PRINT);
  return drawCards(ctx, { owner, team: team.name, people, layout, paper });
}

type Person = CardSecrets & { name: string | null; number: string | null };

async function blanks(ctx: CardPrintDeps, owner: Organization): Promise<Person[]> {
  await ctx.limits.take({ bucket: `cards:blank:${owner.id}`, limit: BLANK_PAGES_A_DAY, windowSeconds: DAY_SECONDS });
  const made = Array.from({ length: WALLET.columns * WALLET.rows }, () => makeSecrets(ctx.keys, null));
  await ctx.database.write(tenantScope(owner.id), (tx) => cardsSql.insertCards(tx, owner.id, made));
  return made.map(({ code, key }) => ({ code, key, name: null, number: null }));
}

/** Everyone on the team, or one of them, with their valid cards; missing cards are created. */
async function players(ctx: CardPrintDeps, owner: Organization, teamId: number, only?: number): Promise<Person[]> {
  return ctx.database.write(tenantScope(owner.id), async (tx) => {
    const all = await cardsSql.listPlayers(tx, teamId);
    const listed = only === undefined ? all : all.filter(({ athleteId }) => athleteId === only);
    const ids = listed.map(({ athleteId }) => athleteId);
    await cardsSql.lockAthletes(tx, ids);
    const had = new Set((await cardsSql.listCards(tx, ids)).map(({ athleteId }) => athleteId));
    const missing = [...new Set(ids)].filter((id) => !had.has(id));
    if (missing.length > 0)
      await cardsSql.insertCards(
        tx,
        owner.id,
        missing.map((id) => makeSecrets(ctx.keys, id)),
      );
    const cards = Map.groupBy(await cardsSql.listCards(tx, ids), ({ athleteId }) => athleteId);
    return listed.flatMap(({ athleteId, firstName, lastName, number }) =>
      (cards.get(athleteId) ?? []).map(({ secretsEncrypted }) => ({
        ...openSecrets(ctx.keys, secretsEncrypted),
        name: shortName(firstName, lastName),
        number,
      })),
    );
  });
}

type Drawing = { owner: Organization; team: string; people: readonly Person[] } & Omit<words.PrintQuery, 'athlete'>;

async function drawCards(ctx: CardPrintDeps, { owner, team, people, layout, paper }: Drawing): Promise<Buffer> {
  const [{ default: qrcode }, alphabet, hostLabel, logo] = await Promise.all([
    import('qrcode'),
    openAlphabet(),
    hostLabelOf(ctx.organizations, owner),
    logoOf(ctx, owner),
  ]);
  const plain = (text: string, fallback = '') => printable(text, alphabet.has, fallback);
  const url = siteUrl(ctx.origin, hostLabel, familyPath(owner.domainName));
  const teamName = plain(team);
  const printed = people.map(({ name, number, code, key }): Printed => {
    const data = Buffer.from(`${url}#${key}`);
    const drawn = name === null ? '' : plain(name);
    const isWhole = name !== null && countLetters(drawn) === countLetters(name);
    return {
      name: isWhole ? drawn : null,
      line: (isWhole ? [teamName, number ?? ''] : [number === null ? '' : `Number ${number}`, drawn, teamName])
        .filter((part) => part !== '')
        .join(`${GLUE}·${GLUE}`),
      isBlank: name === null,
      code: printedCode(code),
      modules: qrcode.create([{ data, mode: 'byte' }], { errorCorrectionLevel: 'M' }).modules,
    };
  });
  const [club, address] = [plain(owner.name), readableAddress(url)];
  const sheets = await openSheets({
    title: `Cards · ${teamName}`,
    letters: `Name Number Notes…·${club}${address}${printed.map(({ name, line, code }) => `${name}${withoutGlue(line)}${code}`).join('')}`,
    at: ctx.clock.now(),
    paper: PAPER_SIZES[paper],
  });
  const page = { sheets, club, address, logo: logo && (await sheets.embed(logo)) };
  await drawPages(page, printed, { layout, paper });
  return sheets.save();
}

/** Keeps the words that it joins on one line. */
const GLUE = '\u00A0';
const countLetters = (text: string) => text.normalize('NFC').match(/\p{L}/gu)?.length ?? 0;

/** Draws all pages; between them other work gets its turn. */
async function drawPages(page: Paper, cards: readonly Printed[], { layout, paper }: Pick<Drawing, 'layout' | 'paper'>) {
  const places = placesOn(layout, paper);
  const draw = layout === 'photo_day' ? drawPhotoDayCard : drawWalletCard;
  for (let first = 0; first < cards.length; first += places.length) {
    const sheet = page.sheets.add();
    for (const mark of cutMarks(layout, paper)) sheet.box(HAIRLINE, mark);
    for (const [at, card] of cards.slice(first, first + places.length).entries())
      draw(page, sheet, card, places[at] as Box);
    await new Promise((resume) => setImmediate(resume));
  }
}

function drawWalletCard(page: Paper, sheet: Sheet, card: Printed, { x, y, width, height }: Box): void {
  const margin = 13;
  const side = WALLET_CODE;
  const left = x + margin;
  const codeX = x + width - margin - side;
  const codeY = y + height - margin - side;
  sheet.code(card.modules, { x: codeX, y: codeY, side });
  centered(page, sheet, { font: 'display', size: 10.5, tone: INK }, card.code, {
    x: codeX + side / 2,
    y: codeY - quiet(card, side) - 8,
  });
  const space = codeX - quiet(card, side) - left;
  const top = drawClub(page, sheet, { x: left, top: y + height - margin, width: space, height: 30 });
  if (card.name === null) drawBlankLines(page, sheet, card, { x: left, y: y + 52, width: space });
  else {
    const name = { sizes: [20, 17, 14, 12, 10], height: 38, x: left, width: space };
    const next = drawFitted(page, sheet, { font: 'display', tone: INK }, card.name, { ...name, top: top - 8 });
    const line = { sizes: [10.5, 9, 8], height: 25, x: left, width: space };
    drawFitted(page, sheet, { font: 'text', tone: QUIET }, card.line, { ...line, top: next - 1 });
  }
  const address = { sizes: [8, 7, 6, 5], height: 10, x: left, width: width - 2 * margin };
  drawFitted(page, sheet, { font: 'text', tone: QUIET }, page.address, { ...address, top: y + margin + 9 });
}

/** Lines for handwriting. */
function drawBlankLines({ sheets }: Paper, sheet: Sheet, card: Printed, { x, y, width }: Omit<Box, 'height'>): void {
  const small: Words = { font: 'text', size: 7.5, tone: QUIET };
  sheet.rule(HAIRLINE, { x, y: y + 22, width });
  sheet.text(small, 'Name', { x, y: y + 13 });
  // The code next to it is a little wider than the QR code.
  const number = card.isBlank ? 38 : 0;
  const line = { ...small, size: 9 };
  sheet.text(line, drawnWithin(sheets, line, withoutGlue(card.line), width - number - 6), { x, y: y - 8 });
  if (!card.isBlank) return;
  sheet.rule(HAIRLINE, { x: x + width - number, y: y - 9, width: number - 6 });
  sheet.text(small, 'Number', { x: x + width - number, y: y - 18 });
}

function drawPhotoDayCard(page: Paper, sheet: Sheet, card: Printed, { x, y, width, height }: Box): void {
  const [margin, side] = [48, PHOTO_DAY_CODE];
  const codeX = x + margin;
  const codeY = y + height - margin - side;
  sheet.code(card.modules, { x: codeX, y: codeY, side });
  centered(page, sheet, { font: 'display', size: 22, tone: INK }, card.code, {
    x: codeX + side / 2,
    y: codeY - quiet(card, side) - 14,
  });
  const left = codeX + side + quiet(card, side) + 6;
  const space = x + width - 36 - left;
  const top = drawClub(page, sheet, { x: left, top: y + height - margin, width: space, height: 46 });
  const name = { sizes: [40, 34, 28, 22, 17], height: 64, x: left, width: space };
  const look = { font: 'display', tone: INK } as const;
  const next = card.name === null ? top - 66 : drawFitted(page, sheet, look, card.name, { ...name, top: top - 22 });
  if (card.name === null) {
    sheet.rule(HAIRLINE, { x: left, y: top - 52, width: space });
    sheet.text({ font: 'text', size: 10, tone: QUIET }, 'Name', { x: left, y: top - 64 });
  }
  const line = { sizes: [17, 14, 11], height: 40, x: left, width: space };
  drawFitted(page, sheet, { font: 'text', tone: QUIET }, card.line, { ...line, top: next - 4 });
  const notes = codeY + 34;
  sheet.text({ font: 'text', size: 10, tone: QUIET }, 'Notes', { x: left, y: notes + 34 });
  for (const line of [notes, notes - 30]) sheet.rule(HAIRLINE, { x: left, y: line, width: space });
  const address = { sizes: [11, 9, 8], height: 13, x: codeX, width: width - margin - 36 };
  drawFitted(page, sheet, { font: 'text', tone: QUIET }, page.address, { ...address, top: y + 40 });
}

/** A QR code needs a white margin. */
const quiet = ({ modules }: Printed, side: number) => (side / modules.size) * QUIET_MODULES;

/** The logo, or the name of a club without one; returns where the next line begins. */
function drawClub(page: Paper, sheet: Sheet, { x, top, width, height }: Omit<Box, 'y'> & { top: number }): number {
  const { logo, club } = page;
  if (logo) {
    const size = within(logo, { width, height });
    sheet.picture(logo, { x, y: top - size.height, ...size });
    return top - height;
  }
  return drawFitted(page, sheet, { font: 'text', tone: QUIET }, club, { sizes: [10, 9, 8], height, x, width, top });
}

const LEADING = 1.16;
type SheetSpace = { sizes: readonly number[]; height: number; x: number; width: number; top: number };
const withoutGlue = (text: string) => text.replaceAll(GLUE, ' ');

/**
 * In the largest size that fits, from `top` down; a text that is too long for the smallest ends with "…". Returns where
 * the next line begins.
 */
function drawFitted(
  { sheets }: Paper,
  sheet: Sheet,
  look: Omit<Words, 'size'>,
  text: string,
  space: SheetSpace,
): number {
  const measure = (size: number) => (part: string) => sheets.widthOf({ ...look, size }, withoutGlue(part));
  const wrapped = (size: number) => wrapText(text, { width: space.width, size, measure: measure(size) });
  const most = (size: number) => Math.floor(space.height / (size * LEADING));
  const size = space.sizes.find((each) => wrapped(each).length <= most(each)) ?? space.sizes.at(-1) ?? 8;
  const lines = wrapped(size);
  let y = space.top;
  for (const [at, line] of lines.slice(0, most(size)).entries()) {
    const isCut = at === most(size) - 1 && lines.length > most(size);
    y -= size * LEADING;
    sheet.text({ ...look, size }, isCut ? `${line.slice(0, -1)}…` : withoutGlue(line), {
      x: space.x,
      y: y + size * 0.22,
    });
  }
  return y;
}

function drawnWithin(sheets: Sheets, look: Words, text: string, width: number): string {
  return wrapText(text, { width, size: look.size, measure: (part) => sheets.widthOf(look, part) })[0] ?? '';
}

function centered({ sheets }: Paper, sheet: Sheet, look: Words, text: string, { x, y }: { x: number; y: number }) {
  sheet.text(look, text, { x: x - sheets.widthOf(look, text) / 2, y });
}

export const createCardPrinting = (deps: CardPrintDeps) => bind(deps, { print });
