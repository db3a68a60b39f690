/** What the bulk gallery page says of its forms, and what a save of all of them came to (specification A§5, 8; fault F24). */
import { SOME_NOT_CREATED } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import type { ShowCounts } from '#src/features/photos/photo-grid.contract.ts';

/** "Gallery 2", counted from 1. */
export function galleryTitle(place: number): string {
  return `Gallery ${place}`;
}

/** In bulk every message says which gallery it means (specification A§5). */
export function prefixed(place: number, messages: readonly string[]): string[] {
  return messages.map((message) => `${galleryTitle(place)}: ${message}`);
}

/** What one form came to, in the order of the page. */
export type FormResult = { key: string; wasNew: boolean; messages: readonly string[] };

/** The list above all forms after a save; empty when every gallery is saved. */
export function messagesAfter(results: readonly FormResult[]): string[] {
  const messages = results.flatMap((result, index) => prefixed(index + 1, result.messages));
  const isShort = results.some(({ wasNew, messages: said }) => wasNew && said.length > 0);
  return isShort ? [SOME_NOT_CREATED, ...messages] : messages;
}

export type FormStatus = 'blank' | 'unsaved' | 'saving' | 'saved' | 'changed' | 'failed';

/** In words, beside the name of the form. */
export const STATUS_WORDS: Record<FormStatus, string> = {
  blank: 'Not saved yet',
  unsaved: 'Not saved yet',
  saving: 'Saving...',
  saved: 'Saved',
  changed: 'Unsaved changes',
  failed: 'Could not be saved',
};

export function statusOf(form: {
  isPersisted: boolean;
  isChanged: boolean;
  isSaving: boolean;
  hasFailed: boolean;
}): FormStatus {
  if (form.isSaving) return 'saving';
  if (form.hasFailed) return 'failed';
  if (form.isPersisted) return form.isChanged ? 'changed' : 'saved';
  return form.isChanged ? 'unsaved' : 'blank';
}

/** Photos that a free gallery still takes; null without a limit. */
export function photosLeftOf(
  organization: Pick<OrganizationChoice, 'free_tier'>,
  photos: number,
  limit: number,
): number | null {
  return organization.free_tier ? Math.max(0, limit - photos) : null;
}

/** A gallery that was made a moment ago has none. */
export const NO_PHOTOS: { photos: []; next: null; total: number; counts: ShowCounts } = {
  photos: [],
  next: null,
  total: 0,
  counts: { default: 0, onlyShowInGallery: 0, onlyNotShowInGallery: 0, withoutKeywords: 0, failed: 0 },
};
