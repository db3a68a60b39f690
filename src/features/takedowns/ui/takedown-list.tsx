import { useState } from 'react';
import {
  MAX_NOTE,
  type Decision,
  type TakedownAnswer,
  type TakedownMode,
  type TakedownsPage,
  type TakedownState,
} from '#src/features/takedowns/takedowns.contract.ts';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Check, EyeOff, ImageOff, Trash } from '#src/ui/icon.tsx';
import { api } from '#src/web/api-client.ts';
import { ShowMore } from '#src/ui/paging.tsx';
import { Link } from 'react-router';
import { galleryPath } from '#src/features/galleries/gallery-link.rules.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { Card } from '#src/ui/card.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { ratioOf, renditionUrl } from '#src/ui/photos/photo-sources.ts';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { Choices } from '#src/ui/form/choices.tsx';
import { useForm } from '#src/web/use-form.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { TextArea } from '#src/ui/form/text-area.tsx';
import { showToast } from '#src/ui/toast.ts';

type TakedownListProps = {
  affiliateId: number;
  state: 'open' | 'decided';
  first: TakedownsPage;
  timeZone: string;
  /** For a parent, whose children have requests of their own. */
  namesAffiliate: boolean;
  onDecided: () => void;
};

/** Requests, newest first. A request that is decided here stays in the list, with its outcome. */
export function TakedownList({ affiliateId, state, first, timeZone, namesAffiliate, onDecided }: TakedownListProps) {
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const {
    rows: takedowns,
    setRows,
    more,
  } = useMoreRows(first, 'takedowns', (query) =>
    api('GET /api/v1/affiliates/{id}/takedowns', { params: { id: affiliateId }, query: { ...query, state } }),
  );

  /** Hiding or deleting a photo answers every request about it. */
  function settle(decided: TakedownAnswer): void {
    const { state: outcome, photo, note, decided_at, decided_by } = decided;
    setRows((known) =>
      known.map((each) =>
        each.id === decided.id || (outcome !== 'kept' && each.photo.id === photo.id && each.state === 'open')
          ? { ...each, state: outcome, photo, note, decided_at, decided_by }
          : each,
      ),
    );
    setDeciding(null);
    onDecided();
  }

  if (takedowns.length === 0) return <Nothing state={state} />;
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <ul aria-label={state === 'open' ? 'Open requests' : 'Decided requests'} className="flex flex-col gap-5">
        {takedowns.map((takedown) => (
          <li key={takedown.id}>
            <TakedownCard
              takedown={takedown}
              timeZone={timeZone}
              namesAffiliate={namesAffiliate}
              onDecide={(decision) => setDeciding({ takedown, decision })}
            />
          </li>
        ))}
      </ul>
      <ShowMore {...more} />
      {deciding && (
        <DecideDialog {...deciding} affiliateId={affiliateId} onClose={() => setDeciding(null)} onDecided={settle} />
      )}
    </div>
  );
}

function Nothing({ state }: { state: 'open' | 'decided' }) {
  return (
    <EmptyState icon={<EyeOff />} title={state === 'open' ? 'No open requests' : 'No decisions yet'}>
      {state === 'open'
        ? 'Anyone who sees a photo can ask you to hide it. The request appears here, and you get an email.'
        : 'Requests that you have answered are listed here.'}
    </EmptyState>
  );
}

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
          <Status takedown={takedown} />
          {takedown.guardian && <Badge tone="accent">Parent, guardian or the person in it</Badge>}
        </div>
        <Reason reason={takedown.reason} />
        <dl className="grid gap-x-4 gap-y-1 text-sm sm:grid-cols-[auto_minmax(0,1fr)] [&_dd]:min-w-0 [&_dd]:break-words [&_dt]:text-quiet max-sm:[&_dd]:mb-1">
          <dt>Photo</dt>
          <dd>
            {photo.name} in{' '}
            <Link
              to={galleryPath({ affiliate: gallery.affiliate, galleryId: gallery.id })}
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

function Status({ takedown }: { takedown: TakedownAnswer }) {
  const { state, photo } = takedown;
  if (state !== 'open') return <Badge tone={state === 'kept' ? 'neutral' : 'success'}>{OUTCOME[state]}</Badge>;
  if (photo.removed) return <Badge>Removed since then</Badge>;
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

type Deciding = { takedown: TakedownAnswer; decision: Decision };

const WORDS: Record<Decision, { title: string; sentence: string; action: string; busy: string }> = {
  hide: {
    title: 'Hide this photo?',
    sentence: 'Only you can see it now. It stays in your gallery and can’t be shown again.',
    action: 'Hide photo',
    busy: 'Hiding...',
  },
  keep: {
    title: 'Keep this photo?',
    sentence: 'The photo is shown in the gallery.',
    action: 'Keep photo',
    busy: 'Keeping...',
  },
  delete: {
    title: 'Delete this photo?',
    sentence: 'The photo is permanently removed from the gallery. This cannot be undone.',
    action: 'Delete photo',
    busy: 'Deleting...',
  },
};

type DecideDialogProps = Deciding & {
  /** Of the list's call. */
  affiliateId: number;
  onClose: () => void;
  onDecided: (decided: TakedownAnswer) => void;
};

/** Asks for confirmation, and for a note to the person who asked. */
function DecideDialog({ takedown, decision, affiliateId, onClose, onDecided }: DecideDialogProps) {
  const { errors, isSending, field, send } = useForm({ note: '' });
  const { title, sentence, action, busy } = WORDS[decision];

  async function decide(): Promise<void> {
    const answer = await send(({ note }) =>
      api('PUT /api/v1/affiliates/{id}/takedowns/{takedownId}', {
        params: { id: affiliateId, takedownId: takedown.id },
        body: { decision, note },
      }),
    );
    if (answer) onDecided(answer.data);
  }

  return (
    <FormDialog
      role="alertdialog"
      title={title}
      action={{ label: action, busy, variant: decision === 'delete' ? 'danger' : 'primary' }}
      isSending={isSending}
      onSubmit={() => void decide()}
      onClose={onClose}
      problem={errors['form']}
    >
      <p className="text-quiet">
        {sentence} {takedown.contact !== null && `${takedown.contact} gets your answer by email.`}
      </p>
      <TextArea
        label="A note to the person who asked"
        hint="Optional. It is included in the email."
        maxLength={MAX_NOTE}
        {...field('note')}
      />
    </FormDialog>
  );
}

const MODES: readonly { value: TakedownMode; label: string; hint: string }[] = [
  {
    value: 'hide_first',
    label: 'Hide it immediately',
    hint: 'A child’s photo is hidden before anyone reads the email. One person can hide three photos of a gallery this way; more than that wait for you.',
  },
  { value: 'review', label: 'Let us review it first', hint: 'The photo stays until you decide.' },
];

/** What happens before a review; saved when clicked. */
export function ModeChoice({ affiliateId, mode: saved }: { affiliateId: number; mode: TakedownMode }) {
  const [mode, setMode] = useState(saved);
  const [isSaving, setSaving] = useState(false);

  async function choose(chosen: TakedownMode): Promise<void> {
    const before = mode;
    setMode(chosen);
    setSaving(true);
    const answer = await api('PUT /api/v1/affiliates/{id}/takedown_mode', {
      params: { id: affiliateId },
      body: { mode: chosen },
    });
    setSaving(false);
    if (answer.ok) return void showToast('Saved', 'success');
    setMode(before);
    showToast(answer.error, 'error');
  }

  return (
    <Card className="p-5">
      <Choices
        legend="When someone asks"
        options={MODES}
        chosen={mode}
        isBusy={isSaving}
        onChoose={(chosen) => void choose(chosen)}
      />
    </Card>
  );
}
