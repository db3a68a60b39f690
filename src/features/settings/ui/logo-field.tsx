import { useEffect, useId, useRef, useState } from 'react';
import { problemsOfPicture, sendPicture } from '#src/features/settings/settings-upload.client.ts';
import { Button } from '#src/ui/button.tsx';
import { CircleAlert, ImagePlus, Trash } from '#src/ui/icon.tsx';

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
