import { useEffect, useRef } from 'react';
import type { WaitingContributor, WaitingPhoto } from '#src/features/contributors/contributions.contract.ts';
import type { Review } from '#src/features/contributors/review.client.ts';
import { instagramAddress, type ReviewGroup } from '#src/features/contributors/review.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { CircleAlert } from '#src/ui/icon.tsx';
import { renditionUrl } from '#src/ui/photo-sources.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import { placeholderImage } from '#src/ui/thumbhash.ts';

/** Everything that waits, by the person who sent it. */
export function ReviewGroups({ review, current }: { review: Review; current: WaitingPhoto }) {
  return (
    <div className="flex min-w-0 flex-col gap-6">
      {review.groups.map((group) => (
        <Group key={group.person.email} group={group} review={review} current={current} />
      ))}
    </div>
  );
}

function Group({ group, review, current }: { group: ReviewGroup; review: Review; current: WaitingPhoto }) {
  const { person, photos } = group;
  const isCurrent = photos.some(({ id }) => id === current.id);
  return (
    <section
      aria-label={person.name}
      className={cx(
        'flex flex-col gap-3 rounded-lg border bg-surface p-4',
        isCurrent ? 'border-accent-text' : 'border-line',
      )}
    >
      <div className="min-w-0">
        <h2 className="text-base font-bold break-words">{person.name}</h2>
        <Contact person={person} />
      </div>
      {isCurrent && photos.length > 1 && (
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          disabled={review.isBusy}
          onClick={review.approvePerson}
        >
          Approve all of {person.name}
        </Button>
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

/** For members only (rule 8). */
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
  const placeholder = photo.thumbhash === null ? null : placeholderImage(photo.thumbhash);
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
      style={placeholder === null ? undefined : { backgroundImage: `url(${placeholder})` }}
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
