import { Link } from 'react-router';
import { galleryPath } from '#src/features/galleries/gallery-link.rules.ts';
import type { Decision, TakedownAnswer, TakedownState } from '#src/features/takedowns/takedowns.contract.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Check, EyeOff, ImageOff, Trash } from '#src/ui/icon.tsx';
import { ratioOf, renditionUrl } from '#src/ui/photo-sources.ts';

type TakedownCardProps = {
  takedown: TakedownAnswer;
  timeZone: string;
  namesAffiliate: boolean;
  onDecide: (decision: Decision) => void;
};

const OUTCOME: Record<Exclude<TakedownState, 'open'>, string> = {
  hidden: 'Hidden',
  kept: 'Kept',
  deleted: 'Deleted',
};

/** One request: the photo, who asks and why, and the three answers. */
export function TakedownCard({ takedown, timeZone, namesAffiliate, onDecide }: TakedownCardProps) {
  const { gallery, photo, state } = takedown;
  const isOpen = state === 'open';
  return (
    <Card className="grid gap-5 p-5 sm:grid-cols-[10rem_minmax(0,1fr)]">
      <Picture photo={photo} />
      <article aria-label={`Request about ${photo.name}`} className="flex min-w-0 flex-col gap-3">
        <div className="flex flex-wrap gap-2" role="status">
          <Standing takedown={takedown} />
          {takedown.guardian && <Badge tone="accent">Parent, guardian or the person in it</Badge>}
        </div>
        <Reason reason={takedown.reason} />
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)] [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:text-quiet max-sm:[&_dd]:mb-1">
          <dt>Photo</dt>
          <dd>
            {photo.name} in{' '}
            <Link
              to={galleryPath({ affiliate: gallery.affiliate, galleryId: gallery.id, search: NOTHING })}
              className="font-semibold underline"
            >
              {gallery.name}
            </Link>
            {namesAffiliate && ` (${gallery.affiliate})`}
          </dd>
          <dt>Asked</dt>
          <dd>
            <DateText at={new Date(takedown.asked_at)} timeZone={timeZone} />
            {takedown.contact === null ? (
              ', address removed'
            ) : (
              <>
                {' by '}
                <a href={`mailto:${takedown.contact}`} className="font-semibold underline">
                  {takedown.contact}
                </a>
              </>
            )}
          </dd>
          {photo.sales_count > 0 && (
            <>
              <dt>Sold</dt>
              <dd>{photo.sales_count === 1 ? 'Once' : `${photo.sales_count} times`}. Buyers keep their copies.</dd>
            </>
          )}
          {takedown.decided_at !== null && (
            <>
              <dt>Decided</dt>
              <dd>
                <DateText at={new Date(takedown.decided_at)} timeZone={timeZone} />
                {takedown.decided_by !== null && ` by ${takedown.decided_by}`}
              </dd>
            </>
          )}
          {takedown.note !== '' && (
            <>
              <dt>Your note</dt>
              <dd className="whitespace-pre-line">{takedown.note}</dd>
            </>
          )}
        </dl>
        {isOpen && <Answers isGone={photo.removed} onDecide={onDecide} />}
      </article>
    </Card>
  );
}

const NOTHING = new URLSearchParams();

function Picture({ photo }: { photo: TakedownAnswer['photo'] }) {
  if (photo.image_url === null) {
    return (
      <div className="grid aspect-[3/2] place-items-center rounded bg-sunken text-quiet">
        <span className="flex flex-col items-center gap-1 text-xs">
          <ImageOff aria-hidden="true" className="size-6" />
          Removed
        </span>
      </div>
    );
  }
  return (
    <a
      href={renditionUrl(photo.image_url, 1440)}
      target="_blank"
      rel="noreferrer"
      aria-label={`Open ${photo.name} in full, in a new tab`}
      className="self-start"
    >
      <img
        src={renditionUrl(photo.image_url, 480)}
        alt={photo.name}
        loading="lazy"
        className="max-h-60 w-full rounded bg-sunken object-contain"
        style={{ aspectRatio: ratioOf({ width: photo.width, height: photo.height }) }}
      />
    </a>
  );
}

function Standing({ takedown }: { takedown: TakedownAnswer }) {
  const { state, photo } = takedown;
  if (state !== 'open') return <Badge tone={state === 'kept' ? 'neutral' : 'success'}>{OUTCOME[state]}</Badge>;
  if (photo.removed) return <Badge>Removed meanwhile</Badge>;
  return photo.show_in_gallery ? (
    <Badge tone="warning">Still shown</Badge>
  ) : (
    <Badge tone="success">Hidden until you decide</Badge>
  );
}

function Reason({ reason }: { reason: string | null }) {
  if (reason === null) return <p className="text-sm text-quiet">The reason was removed after 90 days.</p>;
  return <blockquote className="text-base break-words whitespace-pre-line">{reason}</blockquote>;
}

function Answers({ isGone, onDecide }: { isGone: boolean; onDecide: (decision: Decision) => void }) {
  return (
    <div className="flex flex-wrap gap-3 pt-1">
      {!isGone && (
        <>
          <Button onClick={() => onDecide('hide')}>
            <EyeOff aria-hidden="true" />
            Hide
          </Button>
          <Button variant="secondary" onClick={() => onDecide('keep')}>
            <Check aria-hidden="true" />
            Keep
          </Button>
        </>
      )}
      <Button variant={isGone ? 'primary' : 'quiet'} onClick={() => onDecide('delete')}>
        <Trash aria-hidden="true" />
        Delete
      </Button>
    </div>
  );
}
