import { useId, useState } from 'react';
import type { TakedownMode } from '#src/features/takedowns/takedowns.contract.ts';
import { Card } from '#src/ui/card.tsx';
import { showToast } from '#src/ui/toast.ts';
import { callApi } from '#src/web/api-client.ts';

const CHOICES: readonly { mode: TakedownMode; label: string; hint: string }[] = [
  {
    mode: 'hide_first',
    label: 'Hide it at once',
    hint: 'A child’s photo is hidden before anyone reads the email. One person can hide three photos of a gallery this way; more than that wait for you.',
  },
  { mode: 'review', label: 'Let us review it first', hint: 'The photo stays until you decide.' },
];

/** What happens before anyone has looked; saved with the press. */
export function ModeChoice({ affiliateId, mode: saved }: { affiliateId: number; mode: TakedownMode }) {
  const [mode, setMode] = useState(saved);
  const [isSaving, setSaving] = useState(false);
  const id = useId();

  async function choose(chosen: TakedownMode): Promise<void> {
    const before = mode;
    setMode(chosen);
    setSaving(true);
    const answer = await callApi('PUT', `/api/v1/affiliates/${affiliateId}/takedown_mode`, { body: { mode: chosen } });
    setSaving(false);
    if (answer.ok) return void showToast('Saved', 'success');
    setMode(before);
    showToast(answer.error, 'error');
  }

  return (
    <Card className="p-5">
      <fieldset aria-busy={isSaving}>
        <legend className="text-base font-bold">When someone asks</legend>
        {CHOICES.map((choice) => (
          <div key={choice.mode} className="mt-3 flex min-h-11 items-start gap-3">
            <input
              type="radio"
              id={`${id}-${choice.mode}`}
              name={`${id}-mode`}
              checked={mode === choice.mode}
              aria-describedby={`${id}-${choice.mode}-hint`}
              onChange={() => void choose(choice.mode)}
              className="mt-0.5 size-5.5 shrink-0 accent-accent-text"
            />
            <div className="flex flex-col gap-0.5">
              <label htmlFor={`${id}-${choice.mode}`} className="text-sm font-semibold">
                {choice.label}
              </label>
              <p id={`${id}-${choice.mode}-hint`} className="text-xs text-pretty text-quiet">
                {choice.hint}
              </p>
            </div>
          </div>
        ))}
      </fieldset>
    </Card>
  );
}
