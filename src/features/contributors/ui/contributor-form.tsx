import { useState, type FormEvent } from 'react';
import {
  alreadySent,
  arrivedMeanwhile,
  contributorForm,
  PHOTOS_REQUIRED,
  type Contributor,
} from '#src/features/contributors/contributors.contract.ts';
import type { Chosen } from '#src/features/uploads/chosen-files.client.ts';
import { useChosenPreview } from '#src/features/uploads/local-previews.client.ts';
import { fingerprintOf, refusalOf } from '#src/features/uploads/upload-files.rules.ts';
import { NO_FOLDERS } from '#src/features/uploads/upload-tray.contract.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import { wasSentTo } from '#src/features/contributors/sent-photos.client.ts';
import { withRefused, type UnsentFile } from '#src/features/contributors/unsent-files.rules.ts';
import { UploadZone } from '#src/features/uploads/ui/upload-zone.tsx';
import type { FieldErrors } from '#src/shared/problem.ts';
import { errorsOf } from '#src/shared/validators.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { CircleAlert, X } from '#src/ui/icon.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { useFormErrors } from '#src/web/use-form.ts';
import { IconButton } from '#src/ui/icon-button.tsx';
import { counted, formatCount } from '#src/shared/counted.ts';

/** The form's values, kept when someone sends more. */
export type Typed = { name: string; email: string; site: string; instagram: string };
export const NOTHING_TYPED: Typed = { name: '', email: '', site: '', instagram: '' };

type FormProps = {
  typed: Typed;
  onTyped: (typed: Typed) => void;
  files: readonly File[];
  onFiles: (files: readonly File[]) => void;
  galleryId: number;
  /** Photos of a page that was closed while it sent them. */
  arrivedBefore: number;
  /** All files refused so far. */
  unsent: readonly UnsentFile[];
  onUnsent: (unsent: readonly UnsentFile[]) => void;
  onSend: (person: Contributor) => void;
};

/** The sender, and the photos (specification A§2, "Contributor page"). */
export function ContributorForm({ typed, onTyped, onSend, arrivedBefore, ...photos }: FormProps) {
  const { files } = photos;
  const values = { ...typed, photos: files };
  const { errors, attempt, show } = useFormErrors(values, contributorErrors);

  function onSubmit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault();
    if (show(contributorErrors(values))) onSend(contributorForm.parse(typed));
  }

  const field = (name: keyof Typed) => ({
    name,
    value: typed[name],
    errors: errors[name],
    onChange: (event: { target: { value: string } }) => onTyped({ ...typed, [name]: event.target.value }),
  });
  return (
    <form noValidate method="post" onSubmit={onSubmit} className="flex flex-col gap-6">
      <ErrorList messages={Object.values(errors).flat()} attempt={attempt} />
      <div role="status" className="empty:hidden">
        {arrivedBefore > 0 && <Notice tone="success">{arrivedMeanwhile(arrivedBefore)}</Notice>}
      </div>
      <PhotosPart {...photos} errors={errors['photos'] ?? []} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField label="Name" required autoComplete="name" maxLength={100} {...field('name')} />
        <TextField
          type="email"
          spellCheck={false}
          label="Email"
          required
          autoComplete="email"
          maxLength={254}
          hint="Only the team sees it."
          {...field('email')}
        />
        <TextField
          label="Website"
          inputMode="url"
          autoComplete="url"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={200}
          {...field('site')}
        />
        <TextField
          label="Instagram"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          {...field('instagram')}
        />
      </div>
      <p className="text-sm text-quiet">
        By sending photos you agree to our <Legal to="/terms-of-use">Terms</Legal>, our{' '}
        <Legal to="/privacy">Privacy Policy</Legal> and our <Legal to="/customerlicense">Customer License</Legal>.
      </p>
      <Button type="submit" size="large" className="sm:self-start">
        {files.length === 0 ? 'Send photos' : files.length === 1 ? 'Send 1 photo' : `Send ${files.length} photos`}
      </Button>
    </form>
  );
}

function contributorErrors({ photos, ...typed }: Typed & { photos: readonly File[] }): FieldErrors {
  const errors = errorsOf(contributorForm.safeParse(typed).error);
  return photos.length === 0 ? { ...errors, photos: [PHOTOS_REQUIRED] } : errors;
}

type PhotosPartProps = Pick<FormProps, 'files' | 'onFiles' | 'galleryId' | 'unsent' | 'onUnsent'> & {
  errors: readonly string[];
};

/** The chosen photos, and why others of the last choice were refused or left out. */
function PhotosPart({ files, onFiles, galleryId, unsent, onUnsent, errors }: PhotosPartProps) {
  const [shown, setShown] = useState<readonly UnsentFile[]>([]);
  const [repeated, setRepeated] = useState<readonly File[]>([]);

  function choose({ files: chosen, folders }: Chosen): void {
    const known = new Set(files.map((file) => fingerprintOf(file, 0)));
    const refused: UnsentFile[] = folders.map((name) => ({ name, why: NO_FOLDERS }));
    const fresh = chosen.filter((file) => {
      const why = refusalOf(file);
      if (why !== null) refused.push({ name: file.name, why });
      const isNew = why === null && !known.has(fingerprintOf(file, 0));
      if (isNew) known.add(fingerprintOf(file, 0));
      return isNew;
    });
    setShown(withRefused([], refused, []));
    onUnsent(withRefused(unsent, refused, fresh));
    const wasSent = wasSentTo(galleryId);
    setRepeated(fresh.filter(wasSent));
    onFiles([...files, ...fresh.filter((file) => !wasSent(file))]);
  }
  function sendAgain(): void {
    onFiles([...files, ...repeated]);
    setRepeated([]);
  }

  return (
    <section aria-label="Photos" className="flex flex-col gap-3">
      <UploadZone isLarge={files.length === 0} onChosen={choose} />
      {errors.map((problem) => (
        <p key={problem} className="flex gap-1.5 text-xs font-semibold text-danger">
          <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
          {problem}
        </p>
      ))}
      <ChosenPhotos files={files} onRemove={(file) => onFiles(files.filter((each) => each !== file))} />
      <div role="status" className="flex flex-wrap items-center gap-x-3 text-sm empty:hidden">
        {repeated.length > 0 && (
          <>
            <p>{alreadySent(repeated.length)}</p>
            <Button variant="quiet" size="small" className="-ml-3" onClick={sendAgain}>
              {repeated.length === 1 ? 'Send it again' : 'Send them again'}
            </Button>
          </>
        )}
      </div>
      <div role="alert">
        <UnsentFiles unsent={shown} />
      </div>
    </section>
  );
}

/** Refused files with their reasons, and how to send HEIC photos. */
export function UnsentFiles({ unsent }: { unsent: readonly UnsentFile[] }) {
  if (unsent.length === 0) return null;
  return (
    <>
      <ul
        aria-label="Skipped files"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
        tabIndex={0}
        className="flex max-h-72 flex-col gap-1 overflow-y-auto text-sm text-danger"
      >
        {unsent.map(({ name, why }, index) => (
          <li key={`${index} ${name}`} className="min-w-0 break-words">
            <strong className="font-semibold">{name}</strong>: {why}
          </li>
        ))}
      </ul>
      {unsent.some(({ why }) => why === ONLY_JPEG_NOT_HEIC) && <p className="mt-2 text-sm text-quiet">{HEIC_HELP}</p>}
    </>
  );
}

/** In a new tab, to keep the form. */
function Legal({ to, children }: { to: string; children: string }) {
  return (
    <a
      href={to}
      target="_blank"
      rel="noreferrer"
      className="font-semibold text-accent-text underline underline-offset-4"
    >
      {children}
    </a>
  );
}

/** Rows that are rendered; the others are counted. People choose hundreds of photos. */
const SHOWN = 50;

/** The chosen photos: phones name them "IMG_4711.jpg", so the rows in view have a picture, too. */
function ChosenPhotos({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const count = counted(files.length, 'photo', 'photos');
  return (
    <>
      <p role="status" className={files.length === 0 ? 'sr-only' : 'text-sm font-semibold tabular-nums'}>
        {files.length > 0 && `${count} chosen, ${sizeOf(bytes)}`}
      </p>
      {files.length > 0 && (
        // At most so high that the fields below it, and the button, are near.
        <ul
          aria-label="Chosen photos"
          className="max-h-72 divide-y divide-line overflow-y-auto rounded border border-line"
        >
          {files.slice(0, SHOWN).map((file) => (
            <ChosenPhoto key={fingerprintOf(file, 0)} file={file} onRemove={onRemove} />
          ))}
          {files.length > SHOWN && (
            <li className="px-4 py-3 text-sm text-quiet">and {formatCount(files.length - SHOWN)} more</li>
          )}
        </ul>
      )}
    </>
  );
}

function ChosenPhoto({ file, onRemove }: { file: File; onRemove: (file: File) => void }) {
  const { row, url } = useChosenPreview(file);
  return (
    <li ref={row} className="flex min-h-11 items-center gap-3 py-1 pl-2 text-sm">
      <span className="size-12 shrink-0 overflow-hidden rounded-sm bg-sunken">
        {url !== null && <img src={url} alt="" className="size-full object-cover" />}
      </span>
      <span className="min-w-0 flex-1 truncate">{file.name}</span>
      <span className="shrink-0 text-xs text-quiet tabular-nums">{sizeOf(file.size)}</span>
      <IconButton label={`Remove ${file.name}`} onClick={() => onRemove(file)}>
        <X aria-hidden="true" />
      </IconButton>
    </li>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
