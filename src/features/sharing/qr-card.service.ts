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
  NOBODY_IS_INVITED,
  OPENS_WITHOUT_PASSWORD,
  type CardPurpose,
} from '#src/features/sharing/qr-card.contract.ts';
import {
  CODE_SIDE,
  codePath,
  fitText,
  MARGIN,
  PAGE,
  printable,
  QUIET_MODULES,
  readableAddress,
  rgbOf,
  TEXT_WIDTH,
  type Fitted,
  type Rgb,
} from '#src/features/sharing/qr-card.rules.ts';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { hostLabelOf, type OrganizationService } from '#src/features/tenancy/organizations.service.ts';
import { pngSize } from '#src/platform/images/header-check.ts';
import type { Limits } from '#src/platform/limits/rate-limits.ts';
import { INK, QUIET } from '#src/platform/pdf/text-sheets.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { bind } from '#src/shared/bind.ts';
import { notFound, problem } from '#src/shared/problem.ts';
import type { Color, PDFDocument, PDFFont, PDFImage, PDFPage } from '@cantoo/pdf-lib';

type QrCardDeps = {
  galleries: Pick<GalleryService, 'view' | 'answerFor'>;
  organizations: Pick<OrganizationService, 'byId' | 'picture'>;
  limits: Limits;
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
  if (address === null) throw problem('invalid', purpose === 'unlock' ? OPENS_WITHOUT_PASSWORD : NOBODY_IS_INVITED);
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
  return printCard(words, { accent: owner.primaryColor, logo: await logoOf(ctx, owner) });
}

export const createQrCards = (deps: QrCardDeps) => bind(deps, { card });

const LOGO_BOX = { width: 200, height: 60 };
const BLACK: Rgb = [0, 0, 0];

type CardWords = { event: string; team: string; call: string; how: string; address: string };
export type CardLogo = { bytes: Buffer; contentType: string };
type Paper = { page: PDFPage; display: PDFFont; text: PDFFont; color: (rgb: Rgb) => Color };

/** One page of US letter as PDF; its libraries load with the first card only. @param accent of the team, as hex */
export async function printCard(words: CardWords, { accent, logo }: { accent: string; logo: CardLogo | null }) {
  const [library, fontkit, { openPrintFont }, { default: qrcode }] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('@cantoo/fontkit'),
    import('#src/platform/pdf/print-fonts.ts'),
    import('qrcode'),
  ]);
  const fonts = await Promise.all([openPrintFont(fontkit, 'display'), openPrintFont(fontkit, 'text')]);
  const pdf = await library.PDFDocument.create();
  pdf.registerFontkit(fontkit);
  const drawn: CardWords = {
    ...words,
    event: printable(words.event, fonts[0].has),
    team: printable(words.team, fonts[1].has, ''),
  };
  const all = `${Object.values(drawn).join(' ')}…`;
  const [display, text] = await Promise.all(fonts.map((font) => pdf.embedFont(font.fileFor(all), { subset: true })));
  if (!display || !text) throw new Error('a font is missing');
  pdf.setTitle(`${drawn.event} · ${drawn.team}`);
  const page = pdf.addPage([PAGE.width, PAGE.height]);
  const paper: Paper = { page, display, text, color: ([red, green, blue]) => library.rgb(red, green, blue) };
  const code = qrcode.create([{ data: Buffer.from(words.address), mode: 'byte' }], { errorCorrectionLevel: 'Q' });
  drawCard(paper, drawn, { accent: rgbOf(accent), logo: await embedLogo(pdf, logo), code: code.modules });
  return Buffer.from(await pdf.save());
}

/** A logo that cannot be read is left out. */
async function embedLogo(pdf: PDFDocument, logo: CardLogo | null): Promise<PDFImage | null> {
  if (logo === null) return null;
  try {
    return logo.contentType === 'image/png' ? await pdf.embedPng(logo.bytes) : await pdf.embedJpg(logo.bytes);
  } catch {
    return null;
  }
}

type Modules = { size: number; get: (row: number, column: number) => number | boolean };

function drawCard(
  paper: Paper,
  words: CardWords,
  { accent, logo, code }: { accent: Rgb; logo: PDFImage | null; code: Modules },
): void {
  const { page, display, text, color } = paper;
  page.drawRectangle({ x: 0, y: PAGE.height - 14, width: PAGE.width, height: 14, color: color(accent) });
  let top = PAGE.height - 48;
  if (logo) {
    const { width, height } = logo.scaleToFit(LOGO_BOX.width, LOGO_BOX.height);
    page.drawImage(logo, { x: (PAGE.width - width) / 2, y: top - height, width, height });
    top -= height + 14;
  }
  top = drawLines(paper, display, fit(display, words.event, [44, 38, 32, 26, 22], 2), { top, tone: INK });
  if (words.team !== '')
    top = drawLines(paper, text, fit(text, words.team, [17, 14], 1), { top: top - 4, tone: QUIET });
  top = drawLines(paper, display, fit(display, words.call, [26], 1), { top: top - 16, tone: INK });

  const foot = fit(text, words.how, [15], 2);
  const address = fit(text, readableAddress(words.address), [15, 13, 11, 9], 3);
  const space = top - heightOf(foot) - heightOf(address) - 12 - MARGIN;
  const side = Math.min(CODE_SIDE, space - 24);
  const module = side / code.size;
  // White around it belongs to the code: four modules on each side stay free.
  const middle = top - 12 - Math.max(0, space - 24 - side) / 2;
  page.drawSvgPath(codePath({ size: code.size, isDark: (row, column) => Boolean(code.get(row, column)) }), {
    x: (PAGE.width - side) / 2,
    y: middle,
    scale: module,
    color: color(BLACK),
  });
  const below = Math.min(middle - side - module * QUIET_MODULES, top - space + 12);
  const next = drawLines(paper, text, foot, { top: below, tone: INK });
  drawLines(paper, text, address, { top: next - 10, tone: QUIET });
}

function fit(font: PDFFont, text: string, sizes: readonly number[], lines: number): Fitted {
  return fitText(text, { sizes, lines, measure: (part, size) => font.widthOfTextAtSize(part, size) });
}

const LEADING = 1.22;
const heightOf = ({ lines, size }: Fitted) => lines.length * size * LEADING;

/** Centered, from `top` down; returns the position of the next line. */
function drawLines(
  { page, color }: Paper,
  font: PDFFont,
  { lines, size }: Fitted,
  { top, tone }: { top: number; tone: Rgb },
): number {
  let y = top;
  for (const line of lines) {
    y -= size * LEADING;
    const width = Math.min(TEXT_WIDTH, font.widthOfTextAtSize(line, size));
    page.drawText(line, { font, size, x: (PAGE.width - width) / 2, y: y + size * 0.25, color: color(tone) });
  }
  return y;
}
