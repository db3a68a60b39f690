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
import type { PolicyAnswer } from '#src/shared/upload-policy.ts';
import { sizeProblems } from '#src/features/branding/settings-pictures.rules.ts';
import { ONLY_PNG_OR_JPEG, PICTURE_DAMAGED, PICTURE_TOO_LARGE } from '#src/features/tenancy/settings-words.contract.ts';
import { callApi, messagesOf, NO_CONNECTION } from '#src/web/api-client.ts';

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

type LogoFieldProps = {
  /** Key of the upload; empty without one. */
  value: string;
  errors: readonly string[] | undefined;
  /** Whose form the upload is signed with. */
  affiliateId: number;
  onChange: (key: string) => void;
  onProblems: (messages: readonly string[]) => void;
};

/** A logo for something that is not there yet: looked at in the browser, sent at once, claimed when the form is sent. */
export function LogoField({ value, errors = [], affiliateId, onChange, onProblems }: LogoFieldProps) {
  const [address, setAddress] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => (address === null ? undefined : () => URL.revokeObjectURL(address)), [address]);

  async function take(file: File): Promise<void> {
    const problems = await problemsOfPicture(file, 'logo');
    if (problems.length > 0) return onProblems(problems);
    setBusy(true);
    const sent = await sendPicture(file, 'logo', affiliateId);
    setBusy(false);
    if ('problems' in sent) return onProblems(sent.problems);
    setAddress(URL.createObjectURL(file));
    onChange(sent.key);
  }

  return (
    <div role="group" aria-labelledby={`${id}-label`} className="flex flex-col gap-1.5">
      <p id={`${id}-label`} className="text-sm font-semibold">
        Logo
      </p>
      <div className="flex flex-wrap items-center gap-4">
        <div className="grid size-22 shrink-0 place-items-center overflow-hidden rounded border border-dashed border-line-strong bg-sunken text-xs text-quiet">
          {value !== '' && address !== null ? (
            <img src={address} alt="The logo that you chose" className="size-full object-contain" />
          ) : (
            'No logo'
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button
            variant="secondary"
            size="small"
            busy={isBusy && 'Sending...'}
            aria-describedby={`${id}-hint`}
            onClick={() => input.current?.click()}
          >
            <ImagePlus aria-hidden="true" />
            {value === '' ? 'Choose logo' : 'Change logo'}
          </Button>
          {value !== '' && !isBusy && (
            <Button variant="quiet" size="small" onClick={() => onChange('')}>
              <Trash aria-hidden="true" />
              Remove<span className="sr-only"> logo</span>
            </Button>
          )}
        </div>
      </div>
      <p id={`${id}-hint`} className="text-xs text-quiet">
        PNG or JPEG, at most 5 MB. It can be changed in the settings.
      </p>
      {errors.length > 0 && (
        <ul role="alert" className="flex flex-col gap-1 text-xs font-semibold text-danger">
          {errors.map((message) => (
            <li key={message} className="flex gap-1.5">
              <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
              {message}
            </li>
          ))}
        </ul>
      )}
      <input
        ref={input}
        type="file"
        hidden
        aria-label="Logo"
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

type SentPicture = { key: string } | { problems: string[] };

/** Every problem that can be seen before it is sent. */
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
