import { useState, type FormEvent } from 'react';
import type { StartedAnswer } from '#src/features/roster/roster-care.contract.ts';
import type { SeasonAnswer } from '#src/features/roster/roster.contract.ts';
import { formatCount } from '#src/shared/counted.ts';
import { addDays, readMachineDay } from '#src/shared/day-range.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useRepeated } from '#src/web/use-load.ts';

type SeasonDialogProps = {
  organizationId: number;
  /** The season whose teams and athletes are copied; null for the first one. */
  from: SeasonAnswer | null;
  /** @param isCopying whether a season was created, whose athletes still follow */
  onClose: (isCopying: boolean) => void;
  /** Consents lapse with each season. */
  isYearly: boolean;
  /** @param asksForConsent whether everyone is asked for consent again */
  onMade: (seasonId: number, asksForConsent: boolean) => void;
};

const NEW_CARDS = 'Old cards stop working, and so does any consent a family gave with one.';
const POLL_EVERY_MS = 500;

/** A new season, with the teams and athletes of the previous one. */
export function SeasonDialog({ organizationId, from, isYearly, onClose, onMade }: SeasonDialogProps) {
  const [problems, setProblems] = useState<string[]>([]);
  const [copy, setCopy] = useState<(StartedAnswer & { asksForConsent: boolean }) | null>(null);
  const [isSending, setSending] = useState(false);

  async function make(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const text = (name: string) => String(given.get(name) ?? '').trim();
    const season = { name: text('name'), first_day: text('first_day'), last_day: text('last_day') };
    const choice = (name: string) => given.get(name) !== null;
    setSending(true);
    const answer = from
      ? await api('POST /api/v1/seasons/{id}/next', {
          params: { id: from.id },
          body: {
            season,
            keep_numbers: choice('keep_numbers'),
            new_cards: choice('new_cards'),
            ask_consent: choice('ask_consent'),
          },
        })
      : await api('POST /api/v1/affiliates/{id}/seasons', { params: { id: organizationId }, body: { season } });
    setSending(false);
    if (!answer.ok) return setProblems(messagesOf(answer));
    if (!('season_id' in answer.data)) return onMade(answer.data.id, false);
    showCopy(answer.data, choice('ask_consent'));
  }

  function showCopy(now: StartedAnswer, asksForConsent: boolean): void {
    setCopy({ ...now, asksForConsent });
    if (now.status === 'finished') onMade(now.season_id, asksForConsent);
  }
  async function poll(signal: AbortSignal, { season_id: id, asksForConsent }: NonNullable<typeof copy>): Promise<void> {
    const next = await api('GET /api/v1/seasons/{id}/next', { params: { id }, signal });
    if (next.ok && !signal.aborted) showCopy(next.data, asksForConsent);
  }
  useRepeated(POLL_EVERY_MS, copy?.status === 'running' ? (signal) => poll(signal, copy) : null);

  return (
    <Dialog open title={from ? 'Start the next season' : 'Create a season'} onClose={() => onClose(copy !== null)}>
      {copy ? (
        <Copying {...copy} />
      ) : (
        <form method="dialog" onSubmit={(event) => void make(event)} className="flex flex-col gap-4">
          <ErrorList messages={problems} heading="The season was not created:" />
          <SeasonFields from={from} isYearly={isYearly} />
          <Button type="submit" className="self-end" busy={isSending && 'Saving...'}>
            {from ? 'Start the season' : 'Create the season'}
          </Button>
        </form>
      )}
    </Dialog>
  );
}

function Copying({ done, total }: StartedAnswer) {
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar label="Athletes" percent={total === 0 ? 100 : Math.floor((done / total) * 100)} />
      <p role="status" className="text-sm tabular-nums">
        {formatCount(done)} of {formatCount(total)} athletes
      </p>
    </div>
  );
}

/** The same day of the next year; for February 29, February 28. */
function yearLater(day: string): string {
  const next = day.replace(/^\d+/, (year) => String(Number(year) + 1));
  return readMachineDay(next) ?? addDays(day, 365);
}

/** A browser's date field is as wide as its text: large text on a phone is smaller here. */
const DAY = 'min-w-0 text-[length:min(var(--text-base),7vw)]!';

function SeasonFields({ from, isYearly }: Pick<SeasonDialogProps, 'from' | 'isYearly'>) {
  return (
    <>
      <TextField label="Name" name="name" required maxLength={60} placeholder="Fall 2026" />
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-4">
        <TextField
          label="First day"
          name="first_day"
          type="date"
          required
          className={DAY}
          defaultValue={from ? addDays(from.last_day, 1) : ''}
        />
        <TextField
          label="Last day"
          name="last_day"
          type="date"
          required
          className={DAY}
          defaultValue={from ? yearLater(from.last_day) : ''}
        />
      </div>
      {from && (
        <>
          <p className="text-sm text-quiet">
            Teams and athletes of {from.name} carry over. Cards stay the athlete’s, so last year’s card opens this
            year’s photos.
          </p>
          <Checkbox name="keep_numbers" label="Keep the numbers" />
          <Checkbox name="ask_consent" label="Ask everyone for consent again" defaultChecked={isYearly} />
          <Checkbox name="new_cards" label="New cards for everybody" hint={NEW_CARDS} />
        </>
      )}
    </>
  );
}
