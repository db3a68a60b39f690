import { useState, type FormEvent } from 'react';
import { MAX_PHOTOS, type AllowancesAnswer } from '#src/features/allowances/allowances.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

type Given = AllowancesAnswer['allowances'][number];
type IncludedDialogProps = {
  team: { id: number; name: string };
  /** Only one child of the team. */
  athlete?: { id: number; name: string };
  onClose: () => void;
};

/** How many photos registration includes for each child of a team, or for one of them (athletes B.12). */
export function IncludedDialog({ team, athlete, onClose }: IncludedDialogProps) {
  const [given, setGiven] = useState<{ athletes: number; rows: readonly Given[] } | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [lastDayErrors, setLastDayErrors] = useState<readonly string[]>([]);
  const [isSending, setSending] = useState(false);
  const params = { id: team.id };
  useLoad(
    `${team.id} ${athlete?.id}`,
    (signal) => api('GET /api/v1/teams/{id}/allowances', { params, signal }),
    (answer) => {
      if (!answer.ok) return setProblems(messagesOf(answer));
      const isMeant = (row: Given) => athlete === undefined || row.athlete_id === athlete.id;
      // Those of a price sheet come from programs and stay unchanged; what has ended is no longer included.
      const rows = answer.data.allowances.filter(
        (row) => row.sheet_id === null && row.photos > 0 && !row.ended && isMeant(row),
      );
      setGiven({ athletes: answer.data.athletes, rows });
    },
  );

  async function give(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const typed = new FormData(event.currentTarget);
    const last = String(typed.get('ends_on') ?? '');
    setSending(true);
    const answer = await api('POST /api/v1/teams/{id}/allowances', {
      params,
      body: {
        photos: Number(typed.get('photos')),
        ends_on: last === '' ? null : last,
        ...(athlete === undefined ? {} : { athlete_ids: [athlete.id] }),
      },
    });
    setSending(false);
    if (!answer.ok) {
      const { ends_on: ofLastDay = [], ...others } = answer.errors;
      setLastDayErrors(ofLastDay);
      const isOnlyThat = ofLastDay.length > 0 && Object.keys(others).length === 0;
      return setProblems(isOnlyThat ? [] : messagesOf({ ...answer, errors: others }));
    }
    showToast(answer.data.given === 1 ? 'Saved for 1 athlete' : `Saved for ${answer.data.given} athletes`, 'success');
    onClose();
  }

  return (
    <Dialog open title="Included photos" onClose={onClose}>
      <form method="dialog" onSubmit={(event) => void give(event)} className="flex flex-col gap-4">
        <ErrorList messages={problems} heading="This was not saved:" />
        <p className="text-sm text-pretty">
          With registration, {athlete?.name ?? `each athlete of ${team.name}`} gets this many of your photos free. They
          cost nothing in the cart of a family that has opened its card.
        </p>
        {given && <NowAndNew rows={given.rows} athletes={athlete ? 1 : given.athletes} lastDayErrors={lastDayErrors} />}
        <Button type="submit" className="self-end" disabled={!given} busy={isSending && 'Saving...'}>
          Save
        </Button>
      </form>
    </Dialog>
  );
}

type NowAndNewProps = { rows: readonly Given[]; athletes: number; lastDayErrors: readonly string[] };

/** What the athletes have, and the fields to change it. */
function NowAndNew({ rows, athletes, lastDayErrors }: NowAndNewProps) {
  const same = sharedBy(rows, athletes);
  return (
    <>
      <p className="text-sm text-quiet tabular-nums">{givenWords(rows, athletes)}</p>
      {rows.length > 0 && !same && <p className="text-sm tabular-nums">{differWords(rows, athletes)}</p>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-4">
        <TextField
          label="Photos for each"
          name="photos"
          type="number"
          min={0}
          max={MAX_PHOTOS}
          required
          hint="0 for none."
          defaultValue={same?.photos ?? ''}
          data-autofocus=""
        />
        <TextField
          label="Until"
          name="ends_on"
          type="date"
          hint="Leave blank for no last day."
          defaultValue={same?.ends_on ?? ''}
          errors={lastDayErrors}
        />
      </div>
    </>
  );
}

/** What every athlete has; null when they differ, or one has nothing. */
function sharedBy(rows: readonly Given[], athletes: number): Given | null {
  const [first] = rows;
  const isSame = rows.every((row) => row.photos === first?.photos && row.ends_on === first.ends_on);
  return first && isSame && rows.length === athletes ? first : null;
}

/** "Now 3 to 10 each. Saving changes all of them." */
function differWords(rows: readonly Given[], athletes: number): string {
  const photos = rows.map((row) => row.photos);
  const least = rows.length < athletes ? 0 : Math.min(...photos);
  const most = Math.max(...photos);
  const now = least === most ? `Now ${most} each, with different last days.` : `Now ${least} to ${most} each.`;
  return `${now} Saving changes all of them.`;
}

/** "12 of 14 athletes have included photos: 60 together, 9 of them used." */
function givenWords(rows: readonly Given[], athletes: number): string {
  const sum = (of: (row: Given) => number) => rows.reduce((all, row) => all + of(row), 0);
  if (rows.length === 0) return 'No photos are included yet.';
  const used = sum((row) => row.used);
  if (athletes === 1) return `${sum((row) => row.photos)} included now, ${used} used.`;
  return `${rows.length} of ${athletes} athletes have included photos: ${sum((row) => row.photos)} together, ${used} of them used.`;
}
