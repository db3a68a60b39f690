/** The bulk gallery page's messages, and the result of saving all forms (specification A§5, 8; fault F24). */
import { MAX_GALLERIES, SOME_NOT_CREATED } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import {
  organizationChoice,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import type { ShowCounts } from '#src/features/photos/photo-grid.contract.ts';
import { blankValues, type GalleryValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { readFormDrafts, writeFormDrafts } from '#src/shared/form-drafts.ts';
import { isObject } from '#src/shared/is-object.ts';

/** "Gallery 2", counted from 1. */
export function galleryTitle(place: number): string {
  return `Gallery ${place}`;
}

/** In bulk every message names its gallery (specification A§5). */
export function prefixed(place: number, messages: readonly string[]): string[] {
  return messages.map((message) => `${galleryTitle(place)}: ${message}`);
}

/** The result of one form, in the order of the page. */
export type FormResult = { key: string; wasNew: boolean; messages: readonly string[] };

/** The list above all forms after saving; empty if every gallery is saved. */
export function messagesAfter(results: readonly FormResult[]): string[] {
  const listed = results.flatMap(({ messages }, index) => prefixed(index + 1, messages));
  const isIncomplete = results.some(({ wasNew, messages }) => wasNew && messages.length > 0);
  return isIncomplete ? [SOME_NOT_CREATED, ...listed] : listed;
}

export type FormStatus = 'blank' | 'unsaved' | 'saving' | 'saved' | 'changed' | 'failed';

/** As text, next to the name of the form. */
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

/** The number of photos that a free gallery still accepts; null without a limit. */
export function photosLeftOf(organization: Pick<OrganizationChoice, 'free_tier'>, photos: number, limit: number) {
  return organization.free_tier ? Math.max(0, limit - photos) : null;
}

/** A gallery that was just created has none. */
export const NO_PHOTOS: { photos: []; next: null; total: number; counts: ShowCounts } = {
  photos: [],
  next: null,
  total: 0,
  counts: { default: 0, onlyShowInGallery: 0, onlyNotShowInGallery: 0, withoutKeywords: 0, failed: 0 },
};

export type GalleryDraft = {
  organization: OrganizationChoice | null;
  values: GalleryValues;
  /** Identifies the gallery, also if the response to the first attempt was lost before the reload. */
  clientKey: string;
};

/** Null if there is nothing worth keeping. */
export function draftOf(userId: number, forms: readonly (GalleryDraft & { isTyped: boolean })[]): string | null {
  if (!forms.some(({ isTyped }) => isTyped)) return null;
  const drafts = forms.map(({ organization, values, clientKey }) => ({
    organization,
    values: { ...values, password: '' },
    clientKey,
  }));
  return writeFormDrafts(userId, drafts);
}

/** The forms of this user; null for anything else in the storage. */
export function readDraft(text: string | null, userId: number): GalleryDraft[] | null {
  return readFormDrafts(text, { userId, atMost: MAX_GALLERIES, readForm });
}

function readForm(value: Record<string, unknown>): GalleryDraft | null {
  if (typeof value['clientKey'] !== 'string' || !isObject(value['values'])) return null;
  const organization = organizationChoice.safeParse(value['organization']);
  const blank = blankValues({ name: '', default_photo_price: 0 });
  const typed = value['values'];
  const values = Object.fromEntries(
    Object.entries(blank).map(([name, initial]) => [
      name,
      typeof typed[name] === typeof initial ? typed[name] : initial,
    ]),
  ) as GalleryValues;
  return {
    organization: organization.success ? organization.data : null,
    values: { ...values, password: '' },
    clientKey: value['clientKey'],
  };
}
