/** A picture's way from this computer into the settings: looked at here first, then signed form, then storage. Saved with the form. */
import type { PolicyAnswer } from '#src/shared/upload-policy.ts';
import {
  MAX_PICTURE_BYTES,
  PICTURE_NAME,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import { sizeProblems } from '#src/features/branding/settings-pictures.rules.ts';
import { ONLY_PNG_OR_JPEG, PICTURE_DAMAGED, PICTURE_TOO_LARGE } from '#src/features/tenancy/settings-words.contract.ts';
import { callApi, messagesOf, NO_CONNECTION } from '#src/web/api-client.ts';

export type SentPicture = { key: string } | { problems: string[] };

/** Every problem that can be seen before it is sent. */
export async function problemsOfPicture(file: File, kind: SettingsPicture): Promise<string[]> {
  if (!/^image\/(png|jpeg)$/.test(file.type) || !PICTURE_NAME.test(file.name)) return [ONLY_PNG_OR_JPEG];
  if (file.size > MAX_PICTURE_BYTES) return [PICTURE_TOO_LARGE];
  try {
    const picture = await createImageBitmap(file);
    const problems = sizeProblems(kind, picture);
    picture.close();
    return problems;
  } catch {
    return [PICTURE_DAMAGED];
  }
}

export async function sendPicture(file: File, kind: SettingsPicture, affiliateId: number): Promise<SentPicture> {
  const signed = await callApi<PolicyAnswer>('POST', `/api/v1/policy?timestamp=${Date.now()}&settings_page=true`, {
    body: { affiliate_id: affiliateId, filename: file.name, kind },
  });
  if (!signed.ok) return { problems: messagesOf(signed) };
  const { error: _error, url, ...fields } = signed.data;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append('file', file);
  try {
    const stored = await fetch(url, { method: 'POST', body: form });
    return stored.status === 201
      ? { key: signed.data.key }
      : { problems: ['The image couldn’t be saved. Please try again.'] };
  } catch {
    return { problems: [NO_CONNECTION] };
  }
}
