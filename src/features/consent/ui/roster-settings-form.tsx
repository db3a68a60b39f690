/** Who can find a child, and what an unknown consent means. Saved with its button; switching the hold off requires a checked box. */
import { useState, type FormEvent } from 'react';
import * as words from '#src/features/consent/consent.contract.ts';
import type { ConsentSettings } from '#src/features/consent/consent.contract.ts';
import { api } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { Choices } from '#src/ui/form/choices.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { showToast } from '#src/ui/toast.ts';
import { counted } from '#src/shared/counted.ts';

type Values = Pick<ConsentSettings, 'mode' | 'unknown_consent' | 'consent_yearly' | 'hold_new_photos'> & {
  isChecked: boolean;
};

export function RosterSettingsForm({ affiliateId, saved }: { affiliateId: number; saved: ConsentSettings }) {
  const [now, setNow] = useState(saved);
  const { mode, unknown_consent, consent_yearly, hold_new_photos } = saved;
  const endsHold = (values: Values) => now.hold_new_photos && !values.hold_new_photos && now.not_published > 0;
  const { values, set, errors, isSending, send, show } = useForm<Values>(
    { mode, unknown_consent, consent_yearly, hold_new_photos, isChecked: false },
    (given) => (endsHold(given) && !given.isChecked ? { not_published: [words.HOLD_BOX_REQUIRED] } : {}),
  );

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    show({});
    const answer = await send(({ isChecked, ...settings }) =>
      api('PUT /api/v1/affiliates/{id}/roster_settings', {
        params: { id: affiliateId },
        body: { settings, ...(isChecked ? { not_published: now.not_published } : {}) },
      }),
    );
    if (!answer) return;
    const { hidden, shown, ...after } = answer.data;
    setNow(after);
    set({ isChecked: false });
    showToast(savedText(hidden, shown), 'success');
  }

  return (
    <form method="dialog" className="flex flex-col gap-6" noValidate onSubmit={(event) => void save(event)}>
      <Card className="p-5">
        <Choices
          legend={words.MODE_QUESTION}
          options={words.MODES.map((value) => ({ value, ...words.MODE_LABELS[value] }))}
          chosen={values.mode}
          onChoose={(chosen) =>
            set({ mode: chosen, ...(now.chosen ? {} : { unknown_consent: words.PRESETS[chosen] }) })
          }
        />
      </Card>
      <Card className="p-5">
        <Choices
          legend={words.UNKNOWN_QUESTION}
          options={words.UNKNOWN_CONSENTS.map((value) => ({ value, ...words.UNKNOWN_LABELS[value] }))}
          chosen={values.unknown_consent}
          onChoose={(chosen) => set({ unknown_consent: chosen })}
        />
      </Card>
      <Card className="p-5">
        <Switch
          label={words.HOLD_LABEL}
          hint={words.HOLD_HINT}
          checked={values.hold_new_photos}
          onChange={(event) => set({ hold_new_photos: event.target.checked })}
        />
        {endsHold(values) && (
          <Checkbox
            label={words.holdOffBox(now.not_published)}
            checked={values.isChecked}
            errors={errors['not_published']}
            onChange={(event) => set({ isChecked: event.target.checked })}
          />
        )}
        <Switch
          label={words.YEARLY_LABEL}
          hint={words.YEARLY_HINT}
          checked={values.consent_yearly}
          onChange={(event) => set({ consent_yearly: event.target.checked })}
        />
      </Card>
      <ErrorList messages={errors['form'] ?? []} />
      <Button type="submit" className="self-start" busy={isSending && 'Saving...'}>
        Save
      </Button>
    </form>
  );
}

function savedText(hidden: number, shown: number): string {
  const photos = (count: number) => counted(count, 'photo is', 'photos are');
  if (hidden > 0) return `Saved. ${photos(hidden)} hidden now.`;
  return shown > 0 ? `Saved. ${photos(shown)} shown again.` : 'Saved';
}
