/** What a browser tab keeps of forms that are not sent yet, so that a reload loses nothing. Passwords are never kept. */
import { blankForm, hasInput, type AccountForm } from '#src/features/bulk-accounts/bulk-accounts.rules.ts';
import { MAX_FORMS } from '#src/features/bulk-accounts/bulk-accounts.contract.ts';
import { organizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import { readKeptForms, writeKeptForms } from '#src/shared/kept-forms.ts';

/** Null where there is nothing worth keeping. */
export function draftOf(userId: number, forms: readonly AccountForm[]): string | null {
  if (!forms.some(hasInput)) return null;
  return writeKeptForms(
    userId,
    forms.map((form) => ({ ...form, password: '' })),
  );
}

const TEXTS = ['newOrgName', 'customPath', 'firstName', 'lastName', 'email', 'zip'] as const;

/** The forms of this user; null for anything else, whatever is in the storage. */
export function readDraft(text: string | null, userId: number): AccountForm[] | null {
  return readKeptForms(text, { userId, atMost: MAX_FORMS, readForm });
}

function readForm(value: Record<string, unknown>): AccountForm | null {
  if (typeof value['key'] !== 'string') return null;
  const parent = organizationChoice.safeParse(value['parent']);
  const form = blankForm(value['key'], parent.success ? parent.data : null);
  for (const name of TEXTS) {
    const typed = value[name];
    if (typeof typed === 'string') form[name] = typed;
  }
  form.isPathByHand = value['isPathByHand'] === true;
  form.agreeToTerms = value['agreeToTerms'] === true;
  return form;
}
