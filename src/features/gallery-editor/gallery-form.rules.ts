/** The settings form of a gallery: its values, the request, and its problems, with the contract's texts. */
import {
  GALLERY_PASSWORD_REQUIRED,
  galleryChanges,
  newGallery,
  type GalleryAnswer,
  type SeenValues,
} from '#src/features/galleries/galleries.contract.ts';
import { changedFields, typedDollars } from '#src/shared/form-values.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';

type Typed = 'price_per_photo' | 'target_goal' | 'password';
/** Every changeable field of a gallery; money is text here, as typed. */
export type GalleryValues = Pick<GalleryAnswer, Exclude<keyof SeenValues, Typed | 'price_sheet_id'>> &
  Record<Typed, string> & {
    /** Null: photos are sold one by one. */
    price_sheet_id: number | null;
  };

export function valuesOf(gallery: GalleryAnswer): GalleryValues {
  return {
    name: gallery.name,
    price_per_photo: gallery.price_per_photo.toFixed(2),
    photos_by: gallery.photos_by,
    is_private: gallery.is_private,
    display_watermark: gallery.display_watermark,
    password_required: gallery.password_required,
    password: gallery.password ?? '',
    allow_public_contributions: gallery.allow_public_contributions,
    allow_voting: gallery.allow_voting,
    display_goal: gallery.display_goal,
    goal_description: gallery.goal_description,
    target_goal: gallery.target_goal === 0 ? '' : gallery.target_goal.toFixed(2),
    price_sheet_id: gallery.price_sheet_id ?? null,
  };
}

/** A new gallery starts with its organization's price and name. The fields are in the order of the form. */
export function blankValues(organization: { name: string; default_photo_price: number }): GalleryValues {
  return {
    name: '',
    price_per_photo: organization.default_photo_price.toFixed(2),
    photos_by: organization.name,
    is_private: false,
    display_watermark: true,
    password_required: false,
    password: '',
    allow_public_contributions: false,
    allow_voting: false,
    display_goal: false,
    goal_description: '',
    target_goal: '',
    price_sheet_id: null,
  };
}

/** Changes a field; a first target switches the goal on, and clearing it switches it off (rule 59). */
export function withField<Field extends keyof GalleryValues>(
  values: GalleryValues,
  saved: GalleryValues,
  field: Field,
  value: GalleryValues[Field],
): GalleryValues {
  const next = { ...values, [field]: value };
  const hasTarget = next.target_goal.trim() !== '';
  const hadTarget = values.target_goal.trim() !== '';
  if (saved.target_goal !== '' || hadTarget === hasTarget) return next;
  return { ...next, display_goal: hasTarget || saved.display_goal };
}

/** The request body. Only existing galleries have a goal (specification A§5). */
export function bodyOf(values: GalleryValues, organizationId: number | null): Record<string, unknown> {
  const { display_goal, goal_description, target_goal, ...settings } = values;
  const common = { ...settings, price_per_photo: typedDollars(values.price_per_photo) };
  if (organizationId !== null) return { ...common, organization_id: organizationId };
  return { ...common, display_goal, goal_description, target_goal: typedDollars(target_goal) };
}

/** The body of a save: only changes, and the values that were seen, so that two tabs do not undo each other. */
export function changesOf(values: GalleryValues, saved: GalleryValues) {
  const changed = changedFields(values, saved);
  // Sent with the target: otherwise the server switches a first goal on (rule 59).
  const fields = changed.includes('target_goal') ? [...new Set([...changed, 'display_goal' as const])] : changed;
  const only = (body: Record<string, unknown>) => Object.fromEntries(fields.map((field) => [field, body[field]]));
  const seen = only(bodyOf(saved, null));
  // An empty field means no goal, which the API returns as 0.
  if (seen['target_goal'] === null) seen['target_goal'] = 0;
  return { gallery: only(bodyOf(values, null)), seen };
}

/** The saved values as someone else left them, from a conflict. */
export function withSeen(saved: GalleryValues, current: unknown): GalleryValues {
  const answer = (typeof current === 'object' && current !== null ? current : {}) as Partial<GalleryAnswer>;
  return {
    ...saved,
    ...Object.fromEntries(
      Object.entries(answer).flatMap(([field, value]) => {
        if (!(field in saved)) return [];
        if (field === 'target_goal' && value === 0) return [[field, '']];
        if (field === 'price_sheet_id') return [[field, value]];
        return [[field, typeof value === 'number' ? value.toFixed(2) : (value ?? '')]];
      }),
    ),
  };
}

/** All problems by field; empty if it may be sent. */
export function problemsOf(values: GalleryValues, organizationId: number | null): FieldErrors {
  const body = bodyOf(values, organizationId);
  const errors = errorsOf((organizationId === null ? galleryChanges : newGallery).safeParse(body).error);
  // The API keeps a password if none is sent; a form that shows it empty requires one.
  if (values.password_required && values.password.trim() === '') errors['password'] = [GALLERY_PASSWORD_REQUIRED];
  return errors;
}

const FIELDS = Object.keys(blankValues({ name: '', default_photo_price: 0 }));

/** All messages in the form's order of fields, those of no field last. */
export function messagesInOrder(errors: FieldErrors): string[] {
  return [...new Set([...FIELDS, ...Object.keys(errors)])].flatMap((field) => errors[field] ?? []);
}
