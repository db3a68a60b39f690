/** Forms that a browser tab stores for one person, so that a reload loses nothing that was typed. */
import { isObject } from '#src/shared/is-object.ts';

/** What is stored of this person's forms. */
export function writeFormDrafts(userId: number, forms: readonly object[]): string {
  return JSON.stringify({ userId, forms });
}

/**
 * The forms of this user, parsed by `readForm`; null for anything else, whatever is in the storage.
 * @param readForm null for what is not a valid form
 */
export function readFormDrafts<Form>(
  text: string | null,
  {
    userId,
    atMost,
    readForm,
  }: { userId: number; atMost: number; readForm: (kept: Record<string, unknown>) => Form | null },
): Form[] | null {
  const drafts = parse(text);
  if (!isObject(drafts) || drafts['userId'] !== userId || !Array.isArray(drafts['forms'])) return null;
  const forms = drafts['forms'].slice(0, atMost).flatMap((value: unknown) => {
    const form = isObject(value) ? readForm(value) : null;
    return form === null ? [] : [form];
  });
  return forms.length > 0 ? forms : null;
}

function parse(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
