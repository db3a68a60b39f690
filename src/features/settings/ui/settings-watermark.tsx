import { useState } from 'react';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { isUpload } from '#src/features/settings/settings-form.rules.ts';
import {
  MAX_WATERMARK_CHARACTERS,
  WATERMARK_PLACEMENTS,
  WATERMARK_STRENGTHS,
  type WatermarkPlacement,
  type WatermarkStrength,
} from '#src/features/tenancy/settings-words.contract.ts';
import { PictureField } from '#src/features/settings/ui/settings-picture-field.tsx';
import { SettingsSection } from '#src/features/settings/ui/settings-layout.tsx';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import type { MarkProgress } from '#src/features/pictures/pictures.contract.ts';
import { ProgressBar } from '#src/ui/progress.tsx';
import { useFocusAfter } from '#src/ui/use-focus-after.ts';
import { api } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';
import { formatCount } from '#src/shared/counted.ts';

const NAMES: Record<WatermarkPlacement, string> = { tiled: 'All over the photo', centred: 'Once, in the middle' };
const STRENGTH_NAMES: Record<WatermarkStrength, string> = { light: 'Light', normal: 'Normal', strong: 'Strong' };

type WatermarkSectionProps = {
  form: SettingsForm;
  affiliateId: number;
  /** Counts the saves that changed the watermark. */
  round: number;
};

/** The watermark of photos that are not bought: a picture at 30 % opacity, or a thin line of text (rule 57). */
export function WatermarkSection({ form, affiliateId, round }: WatermarkSectionProps) {
  const { values, saved } = form;
  const hasPicture = values.watermark_url !== '';
  return (
    <SettingsSection
      id="watermark"
      title="Watermark"
      hint="On every photo that has not been bought: your image at 30% opacity, or your name as one thin line. After a change, all your photos are watermarked again; the old watermark stays until then."
    >
      <div className="grid items-start gap-6 sm:grid-cols-2">
        <div className="flex flex-col gap-5">
          <PictureField form={form} affiliateId={affiliateId} kind="watermark" />
          {saved.logo_url !== '' && values.logo_url === saved.logo_url && !hasPicture && (
            <Button
              variant="secondary"
              size="small"
              className="self-start"
              onClick={() => form.set({ watermark_url: saved.logo_url })}
            >
              Use the logo
            </Button>
          )}
          {!hasPicture && (
            <TextField
              label="Watermark text"
              maxLength={MAX_WATERMARK_CHARACTERS}
              placeholder={values.name}
              hint="Used when there is no image. If you leave it blank, we use your name."
              {...form.field('watermark_text')}
            />
          )}
          {!hasPicture && (
            <Choice
              legend="Strength"
              name="watermark_strength"
              options={WATERMARK_STRENGTHS.map((value) => ({ value, label: STRENGTH_NAMES[value] }))}
              chosen={values.watermark_strength}
              onChoose={(strength) => form.set({ watermark_strength: strength })}
            />
          )}
          <Choice
            legend="Position"
            name="watermark_placement"
            options={WATERMARK_PLACEMENTS.map((value) => ({ value, label: NAMES[value] }))}
            chosen={values.watermark_placement}
            onChoose={(placement) => form.set({ watermark_placement: placement })}
          />
        </div>
        <MarkPreview form={form} affiliateId={affiliateId} />
      </div>
      {round > 0 && <MarkingProgress key={round} affiliateId={affiliateId} />}
    </SettingsSection>
  );
}

type ChoiceProps<Value extends string> = {
  legend: string;
  name: string;
  options: readonly { value: Value; label: string }[];
  chosen: Value;
  onChoose: (value: Value) => void;
};

function Choice<Value extends string>({ legend, name, options, chosen, onChoose }: ChoiceProps<Value>) {
  return (
    <fieldset>
      <legend className="text-sm font-semibold">{legend}</legend>
      <div className="flex flex-wrap gap-x-6">
        {options.map(({ value, label }) => (
          <label key={value} className="flex min-h-11 items-center gap-3 text-sm">
            <input
              type="radio"
              name={name}
              value={value}
              checked={chosen === value}
              onChange={() => onChoose(value)}
              className="size-5 accent-accent-text"
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** The preview itself, when the button for another try disappears. */
const itself = (figure: Element | null) => figure as HTMLElement | null;

/** A sample photo with the unsaved watermark, drawn by the server like the real ones. */
function MarkPreview({ form, affiliateId }: { form: SettingsForm; affiliateId: number }) {
  const { values, saved } = form;
  const query = new URLSearchParams({ placement: values.watermark_placement, strength: values.watermark_strength });
  if (values.watermark_url === '') query.set('text', values.watermark_text.trim() || values.name);
  else if (isUpload(values.watermark_url) || values.watermark_url !== saved.watermark_url)
    query.set('key', values.watermark_url);
  const address = `/api/v1/affiliates/${affiliateId}/watermark_preview?${query}`;
  const [failed, setFailed] = useState<string | null>(null);
  const keepFocus = useFocusAfter(itself);
  return (
    <figure tabIndex={-1} className="flex flex-col gap-2 outline-none">
      <figcaption className="text-sm font-semibold">How it looks</figcaption>
      {failed === address ? (
        <div
          ref={keepFocus}
          className="grid aspect-[3/2] place-content-center justify-items-center gap-3 rounded bg-sunken p-4"
        >
          <p role="status" className="text-center text-sm text-quiet">
            The preview isn’t available right now.
          </p>
          <Button variant="secondary" size="small" onClick={() => setFailed(null)}>
            Try again
          </Button>
        </div>
      ) : (
        <img
          src={address}
          alt="With this watermark, as visitors would see it"
          loading="lazy"
          onError={() => setFailed(address)}
          className="aspect-[3/2] w-full rounded bg-sunken object-cover"
        />
      )}
    </figure>
  );
}

const POLL_EVERY_MS = 3_000;

/** The progress of watermarking photos again, from its first answer on. */
function MarkingProgress({ affiliateId }: { affiliateId: number }) {
  const [progress, setProgress] = useState<MarkProgress | null>(null);
  const [isOver, setOver] = useState(false);
  async function poll(signal: AbortSignal): Promise<void> {
    const answer = await api('GET /api/v1/affiliates/{id}/watermark_progress', { params: { id: affiliateId }, signal });
    if (answer.ok) setProgress(answer.data);
    // A lost response is requested again, unless the viewer has lost access.
    setOver(answer.ok ? answer.data.done >= answer.data.total : answer.retryAfterSeconds === null);
  }
  useRepeated(POLL_EVERY_MS, isOver ? null : poll, 0);

  if (progress === null || progress.total === 0) return null;
  const { done, total } = progress;
  if (done >= total)
    return (
      <p role="status" className="text-sm font-semibold text-success">
        {total === 1 ? 'The photo has' : `All ${formatCount(total)} photos have`} the new watermark.
      </p>
    );
  const words = `Photos are being watermarked again: ${formatCount(done)} of ${formatCount(total)}`;
  return (
    <div className="flex flex-col gap-2">
      <p className="text-sm">{words}. Until then they have the old watermark.</p>
      <ProgressBar label={words} percent={Math.floor((done / total) * 100)} />
    </div>
  );
}
