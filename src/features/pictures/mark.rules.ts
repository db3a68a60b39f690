/** Which watermark a photo has, and how watermarks are distinguished (rule 57). */
import type { MarkPlacement, MarkStrength, Watermark } from '#src/platform/images/images.ts';

/**
 * The watermark of an organization by its row: its own picture, else its text, else its name. Photos have the watermark of the
 * organization that owns their gallery.
 */
export type MarkSetting = {
  organizationName: string;
  /** Drawn if a text has letters that cannot be drawn. */
  domainName: string;
  watermarkKey: string | null;
  watermarkText: string | null;
  watermarkPlacement: MarkPlacement;
  watermarkStrength: MarkStrength;
};

/** Raised when the same setting is drawn differently; photos with an older number are watermarked again (`listToRedraw`). */
export const TEXT_DRAWING = 4;
const PICTURE_DRAWING = 1;

/**
 * Watermarks with the same name look alike. The name is stored with every photo, so that nothing is made again without reason.
 * With a picture, the organization's name and the strength of a text do not matter.
 */
export function markName(setting: MarkSetting): string {
  const { organizationName, domainName, watermarkKey, watermarkText, watermarkPlacement, watermarkStrength } = setting;
  if (watermarkKey !== null) return `${PICTURE_DRAWING} ${watermarkPlacement} picture ${watermarkKey}`;
  const text = watermarkText ?? organizationName;
  const drawn = mayLackGlyphs(text) ? `${text} (${domainName})` : text;
  return `${TEXT_DRAWING} ${watermarkPlacement} ${watermarkStrength} text ${drawn}`;
}

/** The font may lack letters beyond ASCII: then the domain name is drawn instead, so changing it changes the watermark. */
const mayLackGlyphs = (text: string): boolean => /[^\x20-\x7e]/.test(text);

/** What is drawn; `png` is the object of `watermarkKey`, null if there is none. */
export function watermarkFor(setting: MarkSetting, png: Buffer | null): Watermark {
  const { watermarkPlacement: placement, watermarkStrength: strength, organizationName: name, watermarkText } = setting;
  const drawing = { placement, strength, fallback: setting.domainName };
  return png ? { kind: 'image', png, name, ...drawing } : { kind: 'text', text: watermarkText ?? name, ...drawing };
}
