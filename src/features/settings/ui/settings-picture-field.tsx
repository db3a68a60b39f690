import { useEffect, useId, useRef, useState } from 'react';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { isUpload } from '#src/features/settings/settings-form.rules.ts';
import {
  EXACT_SIZES,
  PICTURE_FIELDS,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import { problemsOfPicture, sendPicture } from '#src/features/settings/settings-upload.client.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert, ImagePlus, Trash } from '#src/ui/icon.tsx';

type PictureFieldProps = {
  form: SettingsForm;
  affiliateId: number;
  kind: SettingsPicture;
  label: string;
  hint: string;
  /** How the frame looks in which it is shown. */
  frame: string;
  /** The same while there is none. */
  emptyFrame?: string;
  /** Told when another picture is there, before it is saved. */
  onShown?: (address: string | null) => void;
};

/** One picture of the settings: looked at in the browser, sent at once, saved with the form. */
export function PictureField({
  form,
  affiliateId,
  kind,
  label,
  hint,
  frame,
  emptyFrame = frame,
  onShown,
}: PictureFieldProps) {
  const { value, errors, shown, isBusy, take, remove } = usePicture(form, affiliateId, kind);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const exact = EXACT_SIZES[kind];
  useEffect(() => onShown?.(shown), [shown, onShown]);

  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-2">
      <p id={`${id}-label`} className="text-sm font-semibold">
        {label}
      </p>
      <div
        className={cx(
          'grid max-w-full place-items-center overflow-hidden rounded border',
          shown === null ? 'border-dashed border-line-strong bg-sunken text-quiet' : 'border-line bg-sunken',
          shown === null ? emptyFrame : frame,
        )}
      >
        {shown === null ? (
          <span className="p-2 text-center text-xs">{exact ? `${exact.width} × ${exact.height}` : 'No image'}</span>
        ) : (
          <img src={shown} alt={`${label}, as it is now`} className="size-full object-contain" />
        )}
      </div>
      <p id={`${id}-hint`} className="text-xs text-pretty text-quiet">
        {hint}
      </p>
      {errors.length > 0 && <Problems messages={errors} />}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          busy={isBusy && 'Sending...'}
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          <ImagePlus aria-hidden="true" />
          {shown === null ? `Choose ${label.toLowerCase()}` : `Change ${label.toLowerCase()}`}
        </Button>
        {value !== '' && !isBusy && (
          <Button variant="quiet" size="small" onClick={remove}>
            <Trash aria-hidden="true" />
            Remove<span className="sr-only"> {label.toLowerCase()}</span>
          </Button>
        )}
      </div>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={label}
        accept="image/png,image/jpeg"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void take(file);
        }}
      />
    </div>
  );
}

function Problems({ messages }: { messages: readonly string[] }) {
  return (
    <div role="alert">
      <ul className="flex flex-col gap-1 text-xs font-semibold text-danger">
        {messages.map((message) => (
          <li key={message} className="flex gap-1.5">
            <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
            {message}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What is shown, and the way of a file that is chosen. */
function usePicture(form: SettingsForm, affiliateId: number, kind: SettingsPicture) {
  const field = PICTURE_FIELDS[kind];
  const value = form.values[field];
  const [chosen, setChosen] = useState<{ key: string; address: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => (chosen ? () => URL.revokeObjectURL(chosen.address) : undefined), [chosen]);
  return {
    value,
    errors: form.ofPictures[field] ?? form.errors[field] ?? [],
    shown: value === '' ? null : isUpload(value) ? (chosen?.key === value ? chosen.address : null) : value,
    isBusy,
    async take(file: File): Promise<void> {
      const problems = await problemsOfPicture(file, kind);
      form.tellOfPicture(field, problems);
      if (problems.length > 0) return;
      setBusy(true);
      const sent = await sendPicture(file, kind, affiliateId);
      setBusy(false);
      if ('problems' in sent) return form.tellOfPicture(field, sent.problems);
      setChosen({ key: sent.key, address: URL.createObjectURL(file) });
      form.set({ [field]: sent.key });
    },
    remove: () => form.set({ [field]: '' }),
  };
}
