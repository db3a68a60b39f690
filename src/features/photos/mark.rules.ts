/** Whose mark a photo carries, and how a mark is told from another (decision 48). */
import type { MarkPlacement, Watermark } from '#src/platform/images/images.ts';

/** The mark of an organisation as its row says it: its own picture, else its text, else its name. Photos carry the mark of the very organisation that owns their gallery. */
export type MarkSetting = {
  organizationName: string;
  watermarkKey: string | null;
  watermarkText: string | null;
  watermarkPlacement: MarkPlacement;
};

/** Raised when the same setting is drawn differently. */
const DRAWING = 1;

/**
 * Two marks with one name look alike; it stands beside every marked photo, so that nothing is made anew in vain. A picture hides
 * the organisation's name: a change of that alone is no other mark.
 */
export function markName({ organizationName, watermarkKey, watermarkText, watermarkPlacement }: MarkSetting): string {
  const drawn = watermarkKey === null ? `text ${watermarkText ?? organizationName}` : `picture ${watermarkKey}`;
  return `${DRAWING} ${watermarkPlacement} ${drawn}`;
}

/** What is drawn; `png` is the object of `watermarkKey`, null where there is none (any more). */
export function watermarkFor(setting: MarkSetting, png: Buffer | null): Watermark {
  const { watermarkPlacement: placement, organizationName: name, watermarkText } = setting;
  return png ? { kind: 'image', png, placement, name } : { kind: 'text', text: watermarkText ?? name, placement };
}
