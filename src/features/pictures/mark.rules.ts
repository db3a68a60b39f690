/** Whose mark a photo carries, and how a mark is told from another (rule 57). */
import type { MarkPlacement, MarkStrength, Watermark } from '#src/platform/images/images.ts';

/** The mark of an organization as its row says it: its own picture, else its text, else its name. Photos carry the mark of the very organization that owns their gallery. */
export type MarkSetting = {
  organizationName: string;
  /** Drawn where a text has letters that cannot be drawn. */
  domainName: string;
  watermarkKey: string | null;
  watermarkText: string | null;
  watermarkPlacement: MarkPlacement;
  watermarkStrength: MarkStrength;
};

/** Raised when the same setting is drawn differently; photos with an older number are marked again (`listToRedraw`). */
export const TEXT_DRAWING = 4;
const PICTURE_DRAWING = 1;

/**
 * Two marks with one name look alike; it is beside every marked photo, so that nothing is made again for nothing. A picture hides
 * the organization's name and the strength of a text: a change of those alone is no other mark.
 */
export function markName(setting: MarkSetting): string {
  const { organizationName, domainName, watermarkKey, watermarkText, watermarkPlacement, watermarkStrength } = setting;
  if (watermarkKey !== null) return `${PICTURE_DRAWING} ${watermarkPlacement} picture ${watermarkKey}`;
  const text = watermarkText ?? organizationName;
  const drawn = mayLackEmails(text) ? `${text} (${domainName})` : text;
  return `${TEXT_DRAWING} ${watermarkPlacement} ${watermarkStrength} text ${drawn}`;
}

/** Beyond ASCII the domain name may be drawn instead, so a change of it may change the mark. */
export const mayLackEmails = (text: string): boolean => /[^\x20-\x7e]/.test(text);

/** What is drawn; `png` is the object of `watermarkKey`, null where there is none (any more). */
export function watermarkFor(setting: MarkSetting, png: Buffer | null): Watermark {
  const { watermarkPlacement: placement, watermarkStrength: strength, organizationName: name, watermarkText } = setting;
  const drawing = { placement, strength, fallback: setting.domainName };
  return png ? { kind: 'image', png, name, ...drawing } : { kind: 'text', text: watermarkText ?? name, ...drawing };
}
