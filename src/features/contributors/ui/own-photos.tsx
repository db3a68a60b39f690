import { lazy, Suspense, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import { sendNumbers, withdrawPhoto, type OwnPhotos } from '#src/features/contributors/contribution.client.ts';
import {
  NUMBERS_HINT,
  NUMBERS_LABEL,
  OWN_STATES,
  WITHDRAW_QUESTION,
  WITHDRAW_TITLE,
  type OwnPhoto,
} from '#src/features/contributors/contributors.contract.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { CircleAlert, EyeOff } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { useOpenPhoto } from '#src/ui/photos/use-open-photo.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { showToast } from '#src/ui/toast.ts';

/** Loaded with the first photo that is opened. */
const LightboxFrame = lazy(async () => ({
  default: (await import('#src/ui/photos/lightbox-frame.tsx')).LightboxFrame,
}));

const TONES = {
  processing: 'neutral',
  failed: 'danger',
  waiting: 'warning',
  shown: 'success',
  not_chosen: 'neutral',
  withdrawn: 'neutral',
} as const;

type OwnPhotosProps = { own: OwnPhotos; galleryId: number; contributeKey: string };

/** What someone sent, the result, and a button to withdraw it. Empty before the first photo. */
export function OwnPhotoList({ own, galleryId, contributeKey }: OwnPhotosProps) {
  const [withdrawing, setWithdrawing] = useState<OwnPhoto | null>(null);
  const stage = useStage(own.photos);
  /** Numbers that were saved since the list was loaded. */
  const [saved, setSaved] = useState<ReadonlyMap<number, readonly string[]>>(new Map());
  const invite = { galleryId, key: contributeKey };
  const numbersOf = (photo: OwnPhoto): NumbersProps | null =>
    photo.numbers
      ? {
          photo,
          invite,
          numbers: saved.get(photo.id) ?? photo.numbers,
          onSaved: (numbers) => setSaved((before) => new Map(before).set(photo.id, numbers)),
        }
      : null;
  if (own.state === 'failed' && own.problem !== null)
    return (
      <section aria-label="Your photos" className="flex flex-col gap-3">
        <ErrorList heading="Your photos can’t be shown right now." messages={[own.problem]} />
        <Button variant="secondary" size="small" className="self-start" onClick={own.refresh}>
          Try again
        </Button>
      </section>
    );
  if (own.photos.length === 0) return null;

  function withdrawn(message: string | null): void {
    setWithdrawing(null);
    if (message !== null) showToast(message, 'success');
    own.refresh();
  }

  return (
    <section aria-label="Your photos" className="flex flex-col gap-4">
      <h2 className="text-lg">Your photos</h2>
      {own.photos.some(({ numbers }) => numbers !== undefined) && <p className="text-sm text-quiet">{NUMBERS_HINT}</p>}
      <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(8rem,100%),1fr))] gap-3 sm:grid-cols-3">
        {own.photos.map((photo) => (
          <OwnTile
            key={photo.id}
            photo={photo}
            numbers={numbersOf(photo)}
            onOpen={() => stage.open(photo)}
            onWithdraw={() => setWithdrawing(photo)}
          />
        ))}
      </ul>
      <ShowMore
        failure={own.problem}
        hasMore={own.hasMore || own.problem !== null}
        isLoading={own.isLoadingMore}
        onMore={own.more}
        label="More photos"
      />
      {stage.shown && <Stage {...stage} shown={stage.shown} numbers={numbersOf(stage.shown)} />}
      {withdrawing && (
        <ConfirmCall
          title={WITHDRAW_TITLE}
          confirmLabel="Withdraw photo"
          busy="Withdrawing..."
          call={() => withdrawPhoto(invite, withdrawing.id)}
          onDone={({ message }) => withdrawn(message)}
          // The owner may have removed it meanwhile.
          onRefused={({ status }) => status === 404 && withdrawn(null)}
          onCancel={() => setWithdrawing(null)}
        >
          <p>{WITHDRAW_QUESTION}</p>
          <p className="mt-2 truncate text-sm font-semibold text-ink">{withdrawing.name}</p>
        </ConfirmCall>
      )}
    </section>
  );
}

const tileId = ({ id }: OwnPhoto) => `own-${id}`;

function useStage(photos: readonly OwnPhoto[]) {
  const large = useOpenPhoto();
  const shown = photos.filter(({ image_url }) => image_url !== null);
  const index = shown.findIndex(({ id }) => String(id) === large.id);
  return {
    photos: shown,
    index,
    shown: shown[index],
    open: ({ id }: OwnPhoto) => large.open(String(id)),
    goTo: (at: number) => large.goTo(String(shown[(at + shown.length) % shown.length]?.id)),
    close: large.close,
  };
}

type StageProps = ReturnType<typeof useStage> & { shown: OwnPhoto; numbers: NumbersProps | null };

/** Large enough to read numbers. Their field is at the top, because a phone's keyboard covers the lower half. */
function Stage({ photos, index, shown, goTo, close, numbers }: StageProps) {
  const [isTyping, setTyping] = useState(false);
  return (
    <Suspense>
      <LightboxFrame
        index={index}
        total={photos.length}
        photoAt={(at) => {
          const photo = photos[(at + photos.length) % photos.length];
          return photo?.image_url ? { ...photo, imageUrl: photo.image_url, alt: photo.name } : null;
        }}
        tileAt={(at) => {
          const photo = photos[at];
          return photo ? document.getElementById(tileId(photo)) : null;
        }}
        addresses={{ previous: '', next: '', close: '' }}
        onGoTo={goTo}
        onClose={close}
        header={(goBy) => {
          const typeNext = () => {
            setTyping(true);
            goBy(1);
          };
          const isLast = index === photos.length - 1;
          return numbers && <Numbers key={shown.id} {...numbers} {...{ isTyping, isLast }} onEnter={typeNext} />;
        }}
        footer={<p className="max-w-full truncate text-sm">{shown.name}</p>}
      />
    </Suspense>
  );
}

type OwnTileProps = { photo: OwnPhoto; numbers: NumbersProps | null; onOpen: () => void; onWithdraw: () => void };

function OwnTile({ photo, numbers, onOpen, onWithdraw }: OwnTileProps) {
  const { name, state, image_url: address, thumbhash } = photo;
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded border border-line bg-surface">
      <div
        className="grid aspect-square place-items-center bg-sunken bg-cover bg-center text-quiet"
        style={placeholderStyle(thumbhash)}
      >
        {address !== null ? (
          <button
            type="button"
            id={tileId(photo)}
            aria-label={`Open ${name}`}
            onClick={onOpen}
            className="size-full cursor-pointer focus-visible:-outline-offset-3"
          >
            <img
              src={renditionUrl(address, 480)}
              alt={name}
              loading="lazy"
              decoding="async"
              className="size-full object-cover"
            />
          </button>
        ) : state === 'processing' ? (
          <Spinner />
        ) : state === 'failed' ? (
          <CircleAlert aria-hidden="true" className="size-6" />
        ) : (
          <EyeOff aria-hidden="true" className="size-6" />
        )}
      </div>
      <div className="flex flex-1 flex-col items-start gap-1.5 p-2 sm:p-2.5 [&>span]:whitespace-normal">
        <p className="w-full truncate text-xs text-quiet">{name}</p>
        <Badge tone={TONES[state]}>{OWN_STATES[state]}</Badge>
        {photo.problem !== null && <p className="text-xs text-danger">{photo.problem}</p>}
        {numbers && <Numbers {...numbers} />}
        {photo.may_withdraw && (
          <Button variant="quiet" size="small" className="mt-auto -ml-2" onClick={onWithdraw}>
            Withdraw
            <span className="sr-only"> {name}</span>
          </Button>
        )}
      </div>
    </li>
  );
}

type NumbersProps = {
  photo: OwnPhoto;
  invite: { galleryId: number; key: string };
  numbers: readonly string[];
  onSaved: (numbers: readonly string[]) => void;
  /** On the stage: once Enter has saved, except on the last photo. */
  onEnter?: () => void;
  isTyping?: boolean;
  isLast?: boolean;
};

/**
 * Typed as "10 7" or "10, 7"; saved when the field loses focus, by Enter, and when it is gone: a swipe and the phone's Back
 * take it away without a blur.
 */
function Numbers({ photo, invite, numbers, onSaved, onEnter, isTyping, isLast = false }: NumbersProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const saved = numbers.join(' ');
  const isOnStage = onEnter !== undefined;
  /** What is typed and not saved; null for nothing. */
  const unsaved = useRef<string | null>(null);
  const saveUnsaved = useEffectEvent(() => {
    if (unsaved.current === null) return;
    void save(unsaved.current).then((isSaved) => {
      if (!isSaved) showToast(`The numbers on ${photo.name} could not be saved.`, 'error');
    });
  });
  useEffect(() => () => saveUnsaved(), []);
  /** Returns whether it is saved. */
  async function save(typed: string): Promise<boolean> {
    setProblem(null);
    const wanted = typed.split(/[\s,;#]+/).filter((part) => part !== '');
    if (wanted.join(' ') === saved) return true;
    const answer = await sendNumbers(invite, photo.id, wanted);
    if (answer.ok) {
      unsaved.current = null;
      onSaved(answer.data.numbers);
    } else setProblem(Object.values(answer.errors ?? {}).flat()[0] ?? answer.error);
    return answer.ok;
  }
  async function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLInputElement>): Promise<void> {
    if (key !== 'Enter') return;
    if (!isOnStage || isLast) currentTarget.blur();
    else if (await save(currentTarget.value)) onEnter();
  }
  return (
    <label className={cx('flex flex-col gap-1 text-xs', isOnStage ? 'w-0 flex-1 py-1 pl-2' : 'w-full text-quiet')}>
      <span className={isOnStage ? 'sr-only' : ''}>
        {NUMBERS_LABEL}
        <span className="sr-only"> {photo.name}</span>
      </span>
      <input
        // On the stage the field keeps the focus.
        key={isOnStage ? '' : saved}
        defaultValue={saved}
        placeholder={isOnStage ? NUMBERS_LABEL : undefined}
        inputMode="numeric"
        enterKeyHint={isOnStage && !isLast ? 'next' : 'done'}
        autoComplete="off"
        autoFocus={isTyping}
        onChange={(event) => void (unsaved.current = event.target.value)}
        onBlur={(event) => void save(event.target.value)}
        onKeyDown={(event) => void onKeyDown(event)}
        className="h-11 w-full rounded border border-line-strong bg-surface px-2 text-base text-ink"
      />
      {problem !== null && (
        <span role="alert" className={isOnStage ? 'font-semibold' : 'text-danger'}>
          {problem}
        </span>
      )}
    </label>
  );
}
