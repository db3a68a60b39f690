import { useEffect, useEffectEvent, useState, type ReactNode, useRef } from 'react';
import {
  REJECT_PERSON_TITLE,
  REJECT_PHOTO_QUESTION,
  REJECT_PHOTO_TITLE,
  rejectPersonQuestion,
  sendersNumbers,
  type WaitingPhoto,
  type WaitingContributor,
} from '#src/features/contributors/contributors.contract.ts';
import type { Review } from '#src/features/contributors/review.client.ts';
import { actionOf, instagramAddress, nameOf, type ReviewGroup } from '#src/features/contributors/review.rules.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Check, CircleAlert, Tag, Trash } from '#src/ui/icon.tsx';
import { renditionUrl, srcSetOf } from '#src/ui/photos/photo-sources.ts';
import { cx } from '#src/ui/cx.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import { useFocusNearby } from '#src/ui/use-focus-nearby.ts';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';

/** One large photo, and next to it all waiting photos by sender. Works without a mouse. */
export function ReviewPanel({ review, current }: { review: Review; current: WaitingPhoto }) {
  const [rejecting, setRejecting] = useState<Rejected | null>(null);
  const [usesShortcuts, setUsesShortcuts] = useState(true);
  const { next } = review;

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!usesShortcuts || rejecting !== null || event.defaultPrevented || event.repeat || isTyping(event.target))
      return;
    const action = actionOf(event);
    if (action === null) return;
    event.preventDefault();
    if (action === 'next') review.step(1);
    else if (action === 'previous') review.step(-1);
    else if (action === 'approve') review.approve();
    else if (action === 'approve-person') review.approvePerson();
    else if (action === 'undo') review.undo();
    else setRejecting(action === 'reject' ? 'photo' : 'person');
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
  // Preloads the next photo for the time after an approval.
  useEffect(() => {
    if (next) new Image().src = renditionUrl(next.image_url, 1440);
  }, [next]);

  return (
    <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
      <section aria-label="Photo" className="flex min-w-0 flex-col gap-4 lg:sticky lg:top-4">
        <Preview photo={current} />
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
          <h2 className="min-w-0 flex-1 basis-40 truncate text-base font-bold">{current.name}</h2>
          <Hints photo={current} />
        </div>
        <div className="flex flex-wrap gap-3">
          <Button onClick={review.approve} disabled={!review.mayApprove} className="max-sm:flex-auto">
            <Check aria-hidden="true" />
            Approve
          </Button>
          <Button
            variant="secondary"
            onClick={() => setRejecting('photo')}
            disabled={review.isBusy}
            className="max-sm:flex-auto"
          >
            <Trash aria-hidden="true" />
            Reject
          </Button>
          <Button variant="quiet" onClick={review.undo} disabled={!review.mayUndo || review.isBusy}>
            Undo
          </Button>
        </div>
        <Shortcuts isOn={usesShortcuts} onChange={setUsesShortcuts} />
      </section>
      <ReviewGroups review={review} current={current} onRejectPerson={() => setRejecting('person')} />
      {rejecting !== null && (
        <RejectQuestion rejects={rejecting} review={review} current={current} onClose={() => setRejecting(null)} />
      )}
    </div>
  );
}

type Rejected = 'photo' | 'person';
type QuestionProps = { rejects: Rejected; review: Review; current: WaitingPhoto; onClose: () => void };

function RejectQuestion({ rejects, review, current, onClose }: QuestionProps) {
  useFocusNearby();
  const asks = { open: true, busy: review.isBusy && 'Rejecting...', onCancel: onClose } as const;
  if (rejects === 'photo')
    return (
      <ConfirmDialog
        {...asks}
        title={REJECT_PHOTO_TITLE}
        confirmLabel="Reject"
        onConfirm={() => void review.reject().then(onClose)}
      >
        <p>{REJECT_PHOTO_QUESTION}</p>
        <p className="mt-2 truncate text-sm font-semibold text-ink">{current.name}</p>
      </ConfirmDialog>
    );
  return (
    <ConfirmDialog
      {...asks}
      title={REJECT_PERSON_TITLE}
      confirmLabel="Reject all"
      onConfirm={() => void review.rejectPerson().then(onClose)}
    >
      {review.person && <p className="wrap-anywhere">{rejectPersonQuestion(review.person)}</p>}
    </ConfirmDialog>
  );
}

function Preview({ photo }: { photo: WaitingPhoto }) {
  const source = { imageUrl: photo.image_url, width: photo.width, height: photo.height };
  return (
    <div className="relative grid h-[min(58dvh,44rem)] min-h-40 place-items-center overflow-hidden rounded-lg bg-[#0b0c0e] max-sm:h-[min(42dvh,calc(100dvh-25.5rem))]">
      {photo.status === 'processing' ? (
        <p className="text-sm text-white/80">This photo is being processed.</p>
      ) : (
        <img
          key={photo.id}
          src={renditionUrl(photo.image_url, 1440)}
          srcSet={srcSetOf(source)}
          sizes="(min-width: 64rem) 60vw, 100vw"
          alt={photo.name}
          width={photo.width ?? undefined}
          height={photo.height ?? undefined}
          className="absolute inset-0 size-full object-contain"
        />
      )}
    </div>
  );
}

function Hints({ photo }: { photo: WaitingPhoto }) {
  const { similar_to: similar, is_blurry: isBlurry, numbers } = photo;
  if (similar === null && !isBlurry && !numbers) return null;
  return (
    <ul aria-label="Hints" className="flex min-w-0 flex-wrap gap-2">
      {numbers && (
        <li className="min-w-0 [&>span]:max-w-full [&>span]:whitespace-normal">
          <Badge>
            <Tag aria-hidden="true" className="shrink-0" />
            {sendersNumbers(numbers)}
          </Badge>
        </li>
      )}
      {isBlurry && (
        <li>
          <Badge tone="warning">
            <CircleAlert aria-hidden="true" />
            May be blurry
          </Badge>
        </li>
      )}
      {similar !== null && (
        <li className="min-w-0 [&>span]:max-w-full [&>span]:whitespace-normal">
          <Badge tone="warning">
            <CircleAlert aria-hidden="true" className="shrink-0" />
            <span className="min-w-0 break-words">
              Looks like “{similar.name}”{similar.is_shown ? ', which is shown' : ''}
            </span>
          </Badge>
        </li>
      )}
    </ul>
  );
}

const KEYS: readonly (readonly [readonly string[], string])[] = [
  [['←', '→'], 'Previous, next'],
  [['A'], 'Approve'],
  [['Shift', 'A'], 'Approve all from this person'],
  [['R'], 'Reject'],
  [['Shift', 'R'], 'Reject all from this person'],
  [['U'], 'Undo'],
];

function Shortcuts({ isOn, onChange }: { isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-4 max-lg:hidden">
      <dl className="flex flex-wrap gap-x-5 gap-y-2 text-xs text-quiet">
        {KEYS.map(([keys, what]) => (
          <div key={what} className="flex items-center gap-2">
            <dt className="flex gap-1">
              {keys.map((key) => (
                <Key key={key}>{key}</Key>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <Checkbox label="Use these keys" checked={isOn} onChange={(event) => onChange(event.target.checked)} />
    </div>
  );
}

function Key({ children }: { children: ReactNode }) {
  return (
    <kbd className="inline-grid min-w-6 place-items-center rounded border border-line-strong bg-surface px-1.5 py-0.5 font-sans text-xs font-semibold text-ink">
      {children}
    </kbd>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input:not([type="checkbox"]), textarea, select, dialog') !== null
  );
}

type GroupsProps = { review: Review; current: WaitingPhoto; onRejectPerson: () => void };

/** All waiting photos, by sender. */
function ReviewGroups({ review, current, onRejectPerson }: GroupsProps) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {review.groups.map((group) => (
        <Group
          key={group.person.email}
          group={group}
          review={review}
          current={current}
          onRejectPerson={onRejectPerson}
        />
      ))}
    </div>
  );
}

function Group({ group, review, current, onRejectPerson }: GroupsProps & { group: ReviewGroup }) {
  const { person, photos } = group;
  const name = nameOf(group);
  const isCurrent = photos.some(({ id }) => id === current.id);
  return (
    <section
      aria-label={name}
      className={cx(
        'flex flex-col gap-3 rounded-lg border bg-surface p-4',
        isCurrent ? 'border-accent-text' : 'border-line',
      )}
    >
      <div className="min-w-0">
        <h2 className="text-base font-bold break-words">{name}</h2>
        <Contact person={person} />
      </div>
      {isCurrent && photos.length > 1 && (
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" size="small" disabled={review.isBusy} onClick={review.approvePerson}>
            Approve all<span className="sr-only"> of {name}</span>
          </Button>
          <Button variant="quiet" size="small" disabled={review.isBusy} onClick={onRejectPerson}>
            Reject all<span className="sr-only"> of {name}</span>
          </Button>
        </div>
      )}
      <ul className="grid grid-cols-4 gap-2 sm:grid-cols-6 lg:grid-cols-4">
        {photos.map((photo) => (
          <li key={photo.id}>
            <Thumb photo={photo} isCurrent={photo.id === current.id} onChoose={() => review.choose(photo.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Only for members (rule 8). */
function Contact({ person }: { person: WaitingContributor }) {
  const instagram = person.instagram === null ? null : instagramAddress(person.instagram);
  const link = 'inline-flex min-h-6 min-w-0 items-center break-all text-ink underline underline-offset-4';
  return (
    <ul className="mt-1 flex flex-wrap gap-x-4 gap-y-1 text-xs text-quiet">
      <li className="min-w-0">
        <a href={`mailto:${person.email}`} className={link}>
          {person.email}
        </a>
      </li>
      {person.site !== null && (
        <li className="min-w-0">
          <a href={person.site} target="_blank" rel="noreferrer noopener nofollow" className={link}>
            {person.site.replace(/^https?:\/\//, '')}
          </a>
        </li>
      )}
      {person.instagram !== null && (
        <li className="min-w-0">
          {instagram === null ? (
            <span className="break-all">{person.instagram}</span>
          ) : (
            <a href={instagram} target="_blank" rel="noreferrer noopener nofollow" className={link}>
              {person.instagram}
            </a>
          )}
        </li>
      )}
    </ul>
  );
}

function Thumb({ photo, isCurrent, onChoose }: { photo: WaitingPhoto; isCurrent: boolean; onChoose: () => void }) {
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isCurrent && window.matchMedia('(min-width: 64rem)').matches)
      place.current?.scrollIntoView({ block: 'nearest' });
  }, [isCurrent]);
  const hasHint = photo.is_blurry || photo.similar_to !== null;
  return (
    <button
      ref={place}
      type="button"
      aria-current={isCurrent || undefined}
      aria-label={hasHint ? `${photo.name}, with a hint` : photo.name}
      onClick={onChoose}
      className={cx(
        'relative grid aspect-square w-full place-items-center overflow-hidden rounded bg-sunken bg-cover bg-center',
        isCurrent && 'outline-3 outline-offset-2 outline-accent-text',
      )}
      style={placeholderStyle(photo.thumbhash)}
    >
      {photo.status === 'processing' ? (
        <Spinner />
      ) : (
        <img
          src={renditionUrl(photo.image_url, 320)}
          alt=""
          loading="lazy"
          decoding="async"
          className="size-full object-cover"
        />
      )}
      {hasHint && (
        <span className="absolute top-1 right-1 rounded-full bg-surface p-0.5 text-warning">
          <CircleAlert aria-hidden="true" className="size-4" />
        </span>
      )}
    </button>
  );
}
