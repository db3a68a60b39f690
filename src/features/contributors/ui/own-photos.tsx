import { useState } from 'react';
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
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { CircleAlert, EyeOff } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { placeholderStyle } from '#src/ui/photos/thumbhash.ts';
import { showToast } from '#src/ui/toast.ts';

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
      <ul className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {own.photos.map((photo) => (
          <OwnTile
            key={photo.id}
            photo={photo}
            invite={{ galleryId, key: contributeKey }}
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
      {withdrawing && (
        <ConfirmCall
          title={WITHDRAW_TITLE}
          confirmLabel="Withdraw photo"
          busy="Withdrawing..."
          call={() => withdrawPhoto({ galleryId, key: contributeKey }, withdrawing.id)}
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

type OwnTileProps = { photo: OwnPhoto; invite: { galleryId: number; key: string }; onWithdraw: () => void };

function OwnTile({ photo, invite, onWithdraw }: OwnTileProps) {
  const { name, state, image_url: address, thumbhash } = photo;
  return (
    <li className="flex min-w-0 flex-col overflow-hidden rounded border border-line bg-surface">
      <div
        className="grid aspect-square place-items-center bg-sunken bg-cover bg-center text-quiet"
        style={placeholderStyle(thumbhash)}
      >
        {address !== null ? (
          <img
            src={renditionUrl(address, 480)}
            alt={name}
            loading="lazy"
            decoding="async"
            className="size-full object-cover"
          />
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
        {photo.numbers && <Numbers photo={photo} invite={invite} numbers={photo.numbers} />}
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

/** Typed as "10 7" or "10, 7"; saved when the field loses focus. */
function Numbers({ photo, invite, numbers }: Omit<OwnTileProps, 'onWithdraw'> & { numbers: readonly string[] }) {
  const [saved, setSaved] = useState(numbers.join(' '));
  const [problem, setProblem] = useState<string | null>(null);
  async function save(typed: string): Promise<void> {
    const wanted = typed.split(/[\s,;#]+/).filter((part) => part !== '');
    if (wanted.join(' ') === saved) return setProblem(null);
    const answer = await sendNumbers(invite, photo.id, wanted);
    setProblem(answer.ok ? null : (Object.values(answer.errors ?? {}).flat()[0] ?? answer.error));
    if (answer.ok) setSaved(answer.data.numbers.join(' '));
  }
  return (
    <label className="flex w-full flex-col gap-1 text-xs text-quiet">
      <span>
        {NUMBERS_LABEL}
        <span className="sr-only"> {photo.name}</span>
      </span>
      <input
        key={saved}
        defaultValue={saved}
        inputMode="numeric"
        autoComplete="off"
        onBlur={(event) => void save(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur();
        }}
        className="h-11 w-full rounded border border-line-strong bg-surface px-2 text-base text-ink"
      />
      {problem !== null && (
        <span role="alert" className="text-danger">
          {problem}
        </span>
      )}
    </label>
  );
}
