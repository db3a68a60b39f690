/** Single User Update in the browser: the settings' form with this page's rules, and a reset to the stored values. */
import { useState } from 'react';
import {
  AFFILIATE_FETCH_FAILED,
  RESET_FAILED,
  settingsAnswer,
  type SettingsAnswer,
} from '#src/features/settings/settings.contract.ts';
import { useSettingsForm, type SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { problemsOfEdit, refusalOf } from '#src/features/office/single-edit.rules.ts';
import { api } from '#src/web/api-client.ts';

type SingleEdit = SettingsForm & {
  isResetting: boolean;
  /** Loads the server's values again; reports why it cannot. */
  reset: () => Promise<void>;
};

export function useSingleEdit(
  settings: SettingsAnswer,
  options: { parentId: number; userId: number | null; passwordMin: number },
): SingleEdit {
  const { parentId, userId, passwordMin } = options;
  const [isResetting, setIsResetting] = useState(false);
  const form = useSettingsForm(settings, {
    userId,
    problems: (values, saved) => problemsOfEdit(values, saved, { settings, passwordMin }),
    refusal: refusalOf,
  });

  async function reset(): Promise<void> {
    setIsResetting(true);
    const path = encodeURIComponent(form.saved.domain_name);
    const answer = await api('GET /api/v1/affiliates/{id}', {
      params: { id: path },
      query: { org_id: parentId },
    });
    setIsResetting(false);
    if (!answer.ok) {
      form.show({ affiliate: [AFFILIATE_FETCH_FAILED, answer.error] });
      return;
    }
    // Without a session the response has only the public fields.
    const read = settingsAnswer.safeParse(answer.data[0]);
    if (read.success) form.adopt(read.data);
    else form.show({ affiliate: [RESET_FAILED] });
  }

  return { ...form, isResetting, reset };
}
