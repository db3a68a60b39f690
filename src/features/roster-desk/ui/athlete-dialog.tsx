import { useState, type FormEvent } from 'react';
import type { AthleteAnswer, EntryAnswer, TeamAnswer, WholeAthlete } from '#src/features/roster/roster.contract.ts';
import { UNDO_DAYS, type MergedAnswer } from '#src/features/roster/roster-care.contract.ts';
import { CardsDialog } from '#src/features/roster-desk/ui/cards-dialog.tsx';
import { IncludedDialog } from '#src/features/roster-desk/ui/included-dialog.tsx';
import { FamilyOrders } from '#src/features/roster-desk/ui/family-orders.tsx';
import { effectWords } from '#src/features/roster/roster-words.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

type AthleteDialogProps = {
  athlete: AthleteAnswer;
  organizationId: number;
  /** The teams of the season. */
  teams: readonly TeamAnswer[];
  onClose: () => void;
  onChanged: (athlete: AthleteAnswer) => void;
  /** A merged athlete was separated again. */
  onSeparated: (other: AthleteAnswer) => void;
  /** The athlete was merged into another one, or forgotten. */
  onGone: () => void;
};

type SubDialog = 'cards' | 'included' | 'merge' | 'forget';

const nameOf = (athlete: AthleteAnswer) => `${athlete.first_name ?? ''} ${athlete.last_name ?? ''}`.trim();
const teamAndNumber = ({ team, number }: EntryAnswer) => `${team} ${number ?? ''}`.trim();

/** Data and actions that do not fit into a row: addresses, the club's own id, merging and forgetting. */
export function AthleteDialog(props: AthleteDialogProps) {
  const { athlete, onClose, onChanged } = props;
  /** With the fields that a row leaves out; null until loaded. */
  const [whole, setWhole] = useState<WholeAthlete | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  useLoad(
    athlete.id,
    (signal) => api('GET /api/v1/athletes/{id}', { params: { id: athlete.id }, signal }),
    (answer) => (answer.ok ? setWhole(answer.data) : setProblems(messagesOf(answer))),
  );
  const [opened, setOpened] = useState<SubDialog | null>(null);
  const [isSending, setSending] = useState(false);
  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const given = new FormData(event.currentTarget);
    const emails = String(given.get('emails') ?? '')
      .split(/[;,\s]+/)
      .filter((email) => email !== '');
    const externalId = String(given.get('external_id') ?? '').trim();
    setSending(true);
    const body = { athlete: { family_emails: emails, external_id: externalId === '' ? null : externalId } };
    const answer = await api('PUT /api/v1/athletes/{id}', { params: { id: athlete.id }, body });
    setSending(false);
    if (!answer.ok) return setProblems(messagesOf(answer));
    onChanged(answer.data.athlete);
    showToast('Saved', 'success');
    onClose();
  }

  const [entry] = whole?.entries ?? [];
  if (opened !== null) return <OpenedDialog {...props} opened={opened} entry={entry} />;
  return (
    <Dialog open title={nameOf(athlete)} onClose={onClose}>
      <form method="dialog" onSubmit={(event) => void save(event)} className="flex flex-col gap-4">
        <ErrorList messages={problems} heading="This was not saved:" />
        {whole && (
          <>
            <TextField
              label="Family’s email addresses"
              name="emails"
              hint="Separate several with semicolons."
              defaultValue={whole.family_emails.join('; ')}
              autoComplete="off"
            />
            <TextField
              label="ID"
              name="external_id"
              hint="Your own ID for this person."
              defaultValue={whole.external_id ?? ''}
            />
            <Teams {...props} whole={whole} onWhole={setWhole} onProblems={setProblems} />
            <Merges {...props} merges={whole.merges} onWhole={setWhole} onProblems={setProblems} />
            <FamilyOrders athleteId={athlete.id} />
          </>
        )}
        <div className="flex flex-wrap gap-2">
          <Button variant="secondary" onClick={() => setOpened('cards')}>
            Cards
          </Button>
          {entry && (
            <Button variant="secondary" onClick={() => setOpened('included')}>
              Included photos
            </Button>
          )}
          <Button variant="secondary" onClick={() => setOpened('merge')}>
            Merge two athletes
          </Button>
          <Button variant="secondary" onClick={() => setOpened('forget')}>
            Forget
          </Button>
          <Button type="submit" className="ml-auto" busy={isSending && 'Saving...'} disabled={!whole}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type OpenedDialogProps = AthleteDialogProps & { opened: SubDialog; entry: EntryAnswer | undefined };

/** The dialog of one of the buttons, shown instead of this one. */
function OpenedDialog({ opened, entry, athlete, organizationId, onClose, onChanged, onGone }: OpenedDialogProps) {
  const name = nameOf(athlete);
  if (opened === 'cards') return <CardsDialog athlete={athlete} name={name} onClose={onClose} onChanged={onChanged} />;
  if (opened === 'merge')
    return <MergeDialog athlete={athlete} organizationId={organizationId} onClose={onClose} onMerged={onGone} />;
  if (opened === 'forget') return <ForgetDialog athlete={athlete} onClose={onClose} onForgotten={onGone} />;
  if (!entry) return null;
  const team = { id: entry.team_id, name: entry.team };
  return <IncludedDialog team={team} athlete={{ id: athlete.id, name }} onClose={onClose} />;
}

type PartProps = AthleteDialogProps & {
  onWhole: (athlete: WholeAthlete) => void;
  onProblems: (problems: string[]) => void;
};

/** The teams of an athlete: joins another one, or leaves one. */
function Teams({ athlete, teams, whole, onWhole, onChanged, onProblems }: PartProps & { whole: WholeAthlete }) {
  async function change(body: object): Promise<void> {
    const answer = await api('PUT /api/v1/athletes/{id}', { params: { id: athlete.id }, body: { athlete: body } });
    if (!answer.ok) return onProblems(messagesOf(answer));
    onProblems([]);
    onWhole(answer.data.athlete);
    onChanged(answer.data.athlete);
  }
  const others = teams.filter(({ id }) => !whole.entries.some((entry) => entry.team_id === id));
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Teams</legend>
      {whole.entries.map((entry) => (
        <div key={entry.team_id} className="flex items-center gap-3 text-sm">
          <span className="grow">{teamAndNumber(entry)}</span>
          <Button variant="quiet" size="small" onClick={() => void change({ leave_teams: [entry.team_id] })}>
            Leave<span className="sr-only"> {entry.team}</span>
          </Button>
        </div>
      ))}
      {others.length > 0 && (
        <Select
          label="Join another team"
          value=""
          onChange={(event) => void change({ entries: [{ team_id: Number(event.target.value) }] })}
        >
          <option value="">Choose a team</option>
          {others.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </fieldset>
  );
}

/** Athletes who were merged into this one in the last 30 days. */
function Merges(props: PartProps & Pick<WholeAthlete, 'merges'>) {
  const { athlete, merges, onWhole, onChanged, onSeparated, onProblems } = props;
  async function undo(id: number): Promise<void> {
    const answer = await api('POST /api/v1/athletes/{id}/merge/undo', { params: { id } });
    if (!answer.ok) return onProblems(messagesOf(answer));
    const now = await api('GET /api/v1/athletes/{id}', { params: { id: athlete.id } });
    if (now.ok) {
      onWhole(now.data);
      onChanged(now.data);
    }
    onSeparated(answer.data.athlete);
    showToast('The athletes were separated', 'success');
  }
  if (merges.length === 0) return null;
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1 text-sm font-semibold">Merged in the last {UNDO_DAYS} days</legend>
      {merges.map(({ athlete_id: id, name }) => (
        <div key={id} className="flex items-center gap-3 text-sm">
          <span className="grow">{name}</span>
          <Button variant="quiet" size="small" onClick={() => void undo(id)}>
            Undo<span className="sr-only"> the merge with {name}</span>
          </Button>
        </div>
      ))}
    </fieldset>
  );
}

type ForgetDialogProps = { athlete: AthleteAnswer; onClose: () => void; onForgotten: () => void };

function ForgetDialog({ athlete, onClose, onForgotten }: ForgetDialogProps) {
  return (
    <ConfirmCall
      title={`Forget ${nameOf(athlete)}?`}
      confirmLabel="Forget"
      busy="Deleting..."
      call={() => api('DELETE /api/v1/athletes/{id}', { params: { id: athlete.id } })}
      onDone={() => {
        showToast('Name and addresses were deleted', 'success');
        onForgotten();
      }}
      onCancel={onClose}
    >
      <p>This deletes the name and the family’s addresses, and cards stop working. Photos keep the number.</p>
    </ConfirmCall>
  );
}

type MergeDialogProps = { athlete: AthleteAnswer; organizationId: number; onClose: () => void; onMerged: () => void };

/** Merges the athlete into another one, found by name. */
function MergeDialog({ athlete, organizationId, onClose, onMerged }: MergeDialogProps) {
  const [found, setFound] = useState<readonly AthleteAnswer[]>([]);
  const [problems, setProblems] = useState<string[]>([]);
  const [merged, setMerged] = useState<MergedAnswer | null>(null);
  async function search(typed: string): Promise<void> {
    if (typed.trim() === '') return setFound([]);
    const query = { limit: 8, q: typed.trim() };
    const answer = await api('GET /api/v1/affiliates/{id}/athletes', { params: { id: organizationId }, query });
    if (answer.ok) setFound(answer.data.athletes.filter(({ id }) => id !== athlete.id));
  }
  async function merge(into: AthleteAnswer): Promise<void> {
    const answer = await api('POST /api/v1/athletes/{id}/merge', {
      params: { id: athlete.id },
      body: { into: into.id },
    });
    if (!answer.ok) return setProblems(messagesOf(answer));
    setMerged(answer.data);
  }
  async function undo(): Promise<void> {
    const answer = await api('POST /api/v1/athletes/{id}/merge/undo', { params: { id: athlete.id } });
    if (!answer.ok) return setProblems(messagesOf(answer));
    showToast('The athletes were separated', 'success');
    onClose();
  }
  if (merged)
    return (
      <Dialog
        open
        title="The athletes were merged"
        onClose={onMerged}
        footer={
          <>
            <Button variant="secondary" onClick={() => void undo()}>
              Undo
            </Button>
            <Button onClick={onMerged} data-autofocus="">
              Done
            </Button>
          </>
        }
      >
        <ErrorList messages={problems} heading="This was not undone:" />
        <p>
          Photos, teams, cards and addresses are {nameOf(merged.athlete)}’s now. {effectWords(merged).join(' ')}
        </p>
      </Dialog>
    );
  return (
    <Dialog open title="Merge two athletes" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <ErrorList messages={problems} heading="They were not merged:" />
        <p className="text-sm text-quiet">
          Who else is {nameOf(athlete)}? Photos, teams, cards and addresses move there, the stricter consent applies,
          and you can undo it for {UNDO_DAYS} days.
        </p>
        <TextField
          label="Name or number of the other one"
          onChange={(event) => void search(event.target.value)}
          autoComplete="off"
        />
        <ul className="flex flex-col gap-1">
          {found.map((each) => (
            <li key={each.id}>
              <Button variant="secondary" className="w-full justify-start" onClick={() => void merge(each)}>
                {nameOf(each)}
                <span className="font-normal text-quiet">{each.entries.map(teamAndNumber).join(', ')}</span>
              </Button>
            </li>
          ))}
        </ul>
      </div>
    </Dialog>
  );
}
