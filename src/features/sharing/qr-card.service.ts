/**
 * A team prints a page and puts it up at the event: the event's name, a code for phones, and the address for everyone else.
 * Only members can print it, because the codes for contributors and for locked galleries contain a key.
 */
import { isKnown, requireEditor, requireUserId, type Caller } from '#src/features/tenancy/actor.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import type { GalleryService } from '#src/features/galleries/galleries.service.ts';
import { galleryLinks } from '#src/features/sharing/gallery-share.rules.ts';
import {
  CARD_WORDS,
  HAS_NO_CONTRIBUTOR_LINK,
  OPENS_WITHOUT_PASSWORD,
  type CardPurpose,
} from '#src/features/sharing/qr-card.contract.ts';
import {
  CODE_SIDE,
  fitText,
  MARGIN,
  PAGE,
  printable,
  QUIET_MODULES,
  readableAddress,
  rgbOf,
  TEXT_WIDTH,
  within,
  type Fitted,
} from '#src/features/sharing/qr-card.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { pngSize } from '#src/platform/images/header-check.ts';
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
import type { Platform } from '#src/platform/platform.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';

type QrCardDeps = Pick<Platform, 'clock' | 'limits'> & {
  galleries: Pick<GalleryService, 'view' | 'answerFor'>;
  organizations: Pick<OrganizationService, 'byId' | 'picture'>;
  origin: SiteOrigin;
};
export type QrCardService = ReturnType<typeof createQrCards>;

/** Cards per member; each takes a tenth of a second of CPU time. */
const CARDS_A_MINUTE = 30;
/** A larger logo is left out: a PNG is decompressed completely. */
const MAX_LOGO_BYTES = 2_097_152;
const MAX_LOGO_PIXELS = 4_000_000;

/** The address in the code of this card. @throws invalid if there is no such link */
async function addressOf(ctx: QrCardDeps, gallery: GalleryAnswer, owner: Organization, purpose: CardPurpose) {
  const site = siteUrl(ctx.origin, await hostLabelOf(ctx.organizations, owner), '');
  const links = galleryLinks(site, owner.domainName, gallery);
  const address = links[purpose];
  if (address === null)
    throw problem('invalid', purpose === 'unlock' ? OPENS_WITHOUT_PASSWORD : HAS_NO_CONTRIBUTOR_LINK);
  return address;
}

/** The logo of an organization for a printed page; null without one, and for one that is too large. */
export async function logoOf(ctx: Pick<QrCardDeps, 'organizations'>, owner: Organization): Promise<CardLogo | null> {
  if (owner.pictureKeys.logo === null) return null;
  const logo = await ctx.organizations.picture(owner.id, 'logo').catch(() => null);
  if (!logo || logo.bytes.length > MAX_LOGO_BYTES) return null;
  const { width, height } = pngSize(logo.bytes) ?? { width: 0, height: 0 };
  return width * height > MAX_LOGO_PIXELS ? null : logo;
}

/**
 * The printed card of a gallery: one page of US letter as PDF.
 * @throws unauthenticated; not_found; invalid "This gallery opens without a password." and the like; too_many
 */
export async function card(ctx: QrCardDeps, caller: Caller, galleryId: number, purpose: CardPurpose): Promise<Buffer> {
  const view = await ctx.galleries.view(caller, galleryId);
  requireEditor(caller.actor, view.gallery);
  if (!view.gallery.active) throw notFound();
  const gallery = (await ctx.galleries.answerFor(view)) as GalleryAnswer;
  const owner = await ctx.organizations.byId(gallery.organization_id);
  if (!owner) throw notFound();
  const address = await addressOf(ctx, gallery, owner, purpose);
  if (isKnown(caller.actor))
    await ctx.limits.take({
      bucket: `qr-card:${requireUserId(caller.actor)}`,
      limit: CARDS_A_MINUTE,
      windowSeconds: 60,
    });
  const words = { event: gallery.name, team: owner.name, ...CARD_WORDS[purpose], address };
  return printCard(words, { accent: owner.primaryColor, logo: await logoOf(ctx, owner), at: ctx.clock.now() });
}

export const createQrCards = (deps: QrCardDeps) => bind(deps, { card });

const LOGO_BOX = { width: 200, height: 60 };

type CardWords = { event: string; team: string; call: string; how: string; address: string };
type CardLogo = { bytes: Buffer; contentType: string };
type CardLook = { accent: string; logo: CardLogo | null; at: Date };

/**
 * One page of US letter as PDF; its libraries load with the first card only.
 * @param look `accent`: of the team, as hex; `at`: the creation date in the file
 */
export async function printCard(words: CardWords, { accent, logo, at }: CardLook): Promise<Buffer> {
  const [{ has }, { default: qrcode }] = await Promise.all([openAlphabet(), import('qrcode')]);
  const drawn = { ...words, event: printable(words.event, has), team: printable(words.team, has, '') };
  const letters = `${Object.values(drawn).join(' ')}…`;
  const sheets = await openSheets({ title: `${drawn.event} · ${drawn.team}`, letters, at });
  const code = qrcode.create([{ data: Buffer.from(words.address), mode: 'byte' }], { errorCorrectionLevel: 'Q' });
  const picture = logo && (await sheets.embed(logo));
  drawCard(sheets, drawn, { accent: rgbOf(accent), picture, code: code.modules });
  return sheets.save();
}

function drawCard(
  sheets: Sheets,
  words: CardWords,
  { accent, picture, code }: { accent: Tone; picture: Picture | null; code: Modules },
): void {
  const sheet = sheets.add();
  sheet.box(accent, { x: 0, y: PAGE.height - 14, width: PAGE.width, height: 14 });
  let top = PAGE.height - 48;
  if (picture) {
    const { width, height } = within(picture, LOGO_BOX);
    sheet.picture(picture, { x: (PAGE.width - width) / 2, y: top - height, width, height });
    top -= height + 14;
  }
  const draw = (from: number, block: Block) => drawLines(sheets, sheet, from, block);
  top = draw(top, fit(sheets, TITLE, words.event, { sizes: [44, 38, 32, 26, 22], lines: 2 }));
  if (words.team !== '') top = draw(top - 4, fit(sheets, LESS, words.team, { sizes: [17, 14], lines: 1 }));
  top = draw(top - 16, fit(sheets, TITLE, words.call, { sizes: [26], lines: 1 }));

  const foot = fit(sheets, TEXT, words.how, { sizes: [15], lines: 2 });
  const address = fit(sheets, LESS, readableAddress(words.address), { sizes: [15, 13, 11, 9], lines: 3 });
  const space = top - heightOf(foot) - heightOf(address) - 12 - MARGIN;
  const side = Math.min(CODE_SIDE, space - 24);
  // White around it belongs to the code: four modules on each side stay free.
  const middle = top - 12 - Math.max(0, space - 24 - side) / 2;
  sheet.code(code, { x: (PAGE.width - side) / 2, y: middle - side, side });
  const below = Math.min(middle - side - (side / code.size) * QUIET_MODULES, top - space + 12);
  draw(draw(below, foot) - 10, address);
}

type Look = Pick<Words, 'font' | 'tone'>;
const TITLE: Look = { font: 'display', tone: INK };
const TEXT: Look = { font: 'text', tone: INK };
const LESS: Look = { font: 'text', tone: QUIET };

type Block = Fitted & Look;

function fit(sheets: Sheets, look: Look, text: string, space: { sizes: readonly number[]; lines: number }): Block {
  const measure = (part: string, size: number) => sheets.widthOf({ font: look.font, size }, part);
  return { ...look, ...fitText(text, { ...space, measure }) };
}

const LEADING = 1.22;
const heightOf = ({ lines, size }: Fitted) => lines.length * size * LEADING;

/** Centered, from `top` down; returns the position of the next line. */
function drawLines(sheets: Sheets, sheet: Sheet, top: number, { lines, ...words }: Block): number {
  let y = top;
  for (const line of lines) {
    y -= words.size * LEADING;
    const width = Math.min(TEXT_WIDTH, sheets.widthOf(words, line));
    sheet.text(words, line, { x: (PAGE.width - width) / 2, y: y + words.size * 0.25 });
  }
  return y;
}
