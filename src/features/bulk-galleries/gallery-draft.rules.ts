/**
 * What a browser tab keeps of galleries that are not saved yet, so that a reload loses nothing that was typed. Passwords are never
 * kept, and files cannot be.
 */
import { MAX_GALLERIES } from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import { blankValues, type GalleryValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import {
  organizationChoice,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import { isObject, readKeptForms, writeKeptForms } from '#src/shared/kept-forms.ts';

export type GalleryDraft = {
  organization: OrganizationChoice | null;
  values: GalleryValues;
  /** Makes one gallery, also where the answer to the first try was lost before the reload. */
  clientKey: string;
};

/** Null where there is nothing worth keeping. */
export function draftOf(userId: number, forms: readonly (GalleryDraft & { isTyped: boolean })[]): string | null {
  if (!forms.some(({ isTyped }) => isTyped)) return null;
  const kept = forms.map(({ organization, values, clientKey }) => ({
    organization,
    values: { ...values, password: '' },
    clientKey,
  }));
  return writeKeptForms(userId, kept);
}

/** The forms of this user; null for anything else, whatever is in the storage. */
export function readDraft(text: string | null, userId: number): GalleryDraft[] | null {
  return readKeptForms(text, { userId, atMost: MAX_GALLERIES, readForm });
}

function readForm(value: Record<string, unknown>): GalleryDraft | null {
  if (typeof value['clientKey'] !== 'string' || !isObject(value['values'])) return null;
  const organization = organizationChoice.safeParse(value['organization']);
  const blank = blankValues({ name: '', default_photo_price: 0 });
  const typed = value['values'];
  const values = Object.fromEntries(
    Object.entries(blank).map(([name, nothing]) => [
      name,
      typeof typed[name] === typeof nothing ? typed[name] : nothing,
    ]),
  ) as GalleryValues;
  return {
    organization: organization.success ? organization.data : null,
    values: { ...values, password: '' },
    clientKey: value['clientKey'],
  };
}
