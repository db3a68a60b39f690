import { useEffect, useId, useRef, useState } from 'react';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { isUpload } from '#src/features/settings/settings-form.rules.ts';
import {
  EXACT_SIZES,
  MAX_PICTURE_BYTES,
  PICTURE_FIELDS,
  PICTURE_NAME,
  type SettingsPicture,
} from '#src/features/branding/settings-pictures.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert, ImagePlus, Trash } from '#src/ui/icon.tsx';
import { sizeProblems } from '#src/features/branding/settings-pictures.rules.ts';
import { ONLY_PNG_OR_JPEG, PICTURE_DAMAGED, PICTURE_TOO_LARGE } from '#src/features/tenancy/settings-words.contract.ts';
import { api, messagesOf, NO_CONNECTION } from '#src/web/api-client.ts';

type Look = {
  label: string;
  hint: string;
  /** Style of the frame. */
  frame: string;
  /** Style while there is no picture. */
  emptyFrame?: string;
};

const LOOKS: Record<SettingsPicture, Look> = {
  logo: {
    label: 'Logo',
    hint: 'PNG or JPEG. A square image with a transparent background looks best.',
    frame: 'size-32 bg-white p-2',
    emptyFrame: 'size-32',
  },
  home_image: {
    label: 'Home image',
    hint: 'Exactly 1278 × 500 pixels at 72 DPI, PNG or JPEG. Behind your name, at the top of your page.',
    frame: 'aspect-[1278/500] w-full',
    emptyFrame: 'h-24 w-full',
  },
  watermark: {
    label: 'Watermark',
    hint: 'A 250 × 250 pixel PNG with a transparent background works best.',
    frame: 'size-32 bg-[repeating-conic-gradient(#8a8f98_0_25%,#a9aeb6_0_50%)] bg-size-[16px_16px] p-2',
    emptyFrame: 'size-32',
  },
  tablet_ad: {
    label: 'Tablet and desktop ad',
    hint: 'Exactly 728 × 90 pixels, PNG or JPEG.',
    frame: 'aspect-[728/90] w-full max-w-182',
  },
  mobile_ad: {
    label: 'Mobile ad',
    hint: 'Exactly 300 × 250 pixels, PNG or JPEG.',
    frame: 'aspect-[300/250] w-75',
  },
};

type PictureFieldProps = {
  form: SettingsForm;
  affiliateId: number;
  kind: SettingsPicture;
  /** Other words than for its owners. */
  hint?: string;
  /** Called when another picture is shown, before it is saved. */
  onShown?: (address: string | null) => void;
};

/** One picture of the settings: checked in the browser, uploaded immediately, saved with the form. */
export function PictureField({ form, affiliateId, kind, hint = LOOKS[kind].hint, onShown }: PictureFieldProps) {
  const field = PICTURE_FIELDS[kind];
  const value = form.values[field];
  const upload = useUpload(kind, affiliateId, {
    onProblems: (messages) => form.refusePicture(field, messages),
    onSent: (key) => form.set({ [field]: key }),
  });
  const shown = isUpload(value) ? upload.addressOf(value) : value || null;
  useEffect(() => onShown?.(shown), [shown, onShown]);
  return (
    <PictureBox
      {...LOOKS[kind]}
      kind={kind}
      hint={hint}
      hasPicture={value !== ''}
      shown={shown}
      alt={`${LOOKS[kind].label}, as it is now`}
      errors={form.ofPictures[field] ?? form.errors[field] ?? []}
      isBusy={upload.isBusy}
      onTake={upload.take}
      onRemove={() => form.set({ [field]: '' })}
    />
  );
}

type LogoFieldProps = {
  /** Key of the upload; empty without one. */
  value: string;
  errors: readonly string[] | undefined;
  /** Whose upload form is used. */
  affiliateId: number;
  onChange: (key: string) => void;
  onProblems: (messages: readonly string[]) => void;
};

/** A logo for something that does not exist yet: uploaded immediately, used when the form is sent. */
export function LogoField({ value, errors = [], affiliateId, onChange, onProblems }: LogoFieldProps) {
  const upload = useUpload('logo', affiliateId, { onProblems, onSent: onChange });
  return (
    <PictureBox
      kind="logo"
      label="Logo"
      hint="PNG or JPEG, at most 5 MB. You can change it in the settings."
      frame="size-22"
      hasPicture={value !== ''}
      shown={value === '' ? null : upload.addressOf(value)}
      alt="The logo that you chose"
      none="No logo"
      errors={errors}
      isBusy={upload.isBusy}
      onTake={upload.take}
      onRemove={() => onChange('')}
    />
  );
}

type PictureBoxProps = Look & {
  kind: SettingsPicture;
  /** False if it cannot be shown: an upload of an abandoned form. */
  hasPicture: boolean;
  shown: string | null;
  alt: string;
  /** The text in the empty frame; by default the required size. */
  none?: string;
  errors: readonly string[];
  isBusy: boolean;
  onTake: (file: File) => Promise<void>;
  onRemove: () => void;
};

function PictureBox(props: PictureBoxProps) {
  const { kind, label, hint, frame, emptyFrame = frame, hasPicture, shown, alt, errors, isBusy } = props;
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const exact = EXACT_SIZES[kind];
  const none = props.none ?? (exact ? `${exact.width} × ${exact.height}` : 'No image');
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
          <span className="p-2 text-center text-xs">{none}</span>
        ) : (
          <img src={shown} alt={alt} className="size-full object-contain" />
        )}
      </div>
      <p id={`${id}-hint`} className="text-xs text-pretty text-quiet">
        {hint}
      </p>
      {errors.length > 0 && (
        <div role="alert">
          <ul className="flex flex-col gap-1 text-xs font-semibold text-danger">
            {errors.map((message) => (
              <li key={message} className="flex gap-1.5">
                <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
                {message}
              </li>
            ))}
          </ul>
        </div>
      )}
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          busy={isBusy && 'Sending...'}
          aria-describedby={`${id}-hint`}
          onClick={() => input.current?.click()}
        >
          <ImagePlus aria-hidden="true" />
          {`${shown === null ? 'Choose' : 'Change'} ${label.toLowerCase()}`}
        </Button>
        {hasPicture && !isBusy && (
          <Button variant="quiet" size="small" onClick={props.onRemove}>
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
          if (file) void props.onTake(file);
        }}
      />
    </div>
  );
}

type UploadOptions = { onProblems: (messages: string[]) => void; onSent: (key: string) => void };

/** Checks a chosen file here, then uploads it. */
function useUpload(kind: SettingsPicture, affiliateId: number, { onProblems, onSent }: UploadOptions) {
  const [chosen, setChosen] = useState<{ key: string; address: string } | null>(null);
  const [isBusy, setBusy] = useState(false);
  useEffect(() => (chosen ? () => URL.revokeObjectURL(chosen.address) : undefined), [chosen]);
  return {
    isBusy,
    addressOf: (key: string) => (chosen?.key === key ? chosen.address : null),
    async take(file: File): Promise<void> {
      const problems = await problemsOfPicture(file, kind);
      onProblems(problems);
      if (problems.length > 0) return;
      setBusy(true);
      const sent = await sendPicture(file, kind, affiliateId);
      setBusy(false);
      if ('problems' in sent) return onProblems(sent.problems);
      setChosen({ key: sent.key, address: URL.createObjectURL(file) });
      onSent(sent.key);
    },
  };
}

type SentPicture = { key: string } | { problems: string[] };

/** All problems that can be checked before it is sent. */
async function problemsOfPicture(file: File, kind: SettingsPicture): Promise<string[]> {
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

async function sendPicture(file: File, kind: SettingsPicture, affiliateId: number): Promise<SentPicture> {
  const signed = await api('POST /api/v1/policy', {
    query: { timestamp: Date.now(), settings_page: 'true' },
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
