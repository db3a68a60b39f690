import { useCallback, useRef, useState, type CSSProperties, type KeyboardEvent } from 'react';
import { MANY_DEVICES, type AthleteAnswer, type TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { CELL_BOX, ConsentCell, TeamCell, type CellProps } from '#src/features/roster-desk/ui/roster-choices.tsx';
import { effectWords } from '#src/features/roster/roster-words.rules.ts';
import { counted } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { Ellipsis } from '#src/ui/icon.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, messagesOf } from '#src/web/api-client.ts';

type RosterTableProps = {
  organizationId: number;
  season: number | null;
  athletes: readonly AthleteAnswer[];
  teams: readonly TeamAnswer[];
  team: number | null;
  onChanged: (athlete: AthleteAnswer) => void;
  onAdded: (athlete: AthleteAnswer) => void;
  onOpen: (athlete: AthleteAnswer) => void;
};

const CELL = `${CELL_BOX} min-w-0`;
/**
 * Long names get smaller before a field cuts them, as on a phone with large text: a letter is about half as wide as high.
 * `--taken` is what is next to the name.
 */
const NAME = `${CELL} @max-4xl/roster:text-[clamp(0.625rem,calc((100cqw-var(--taken))/var(--letters)/0.55),1.0625rem)]`;
const nameStyle = (name: string, taken: string) =>
  ({ '--letters': Math.max(1, name.length), '--taken': taken }) as CSSProperties;
/**
 * Without space for a table an athlete takes three lines: number and names; team, consent and more; family and photos. Large
 * text takes a line more for consent, and another for the last name, as long names do on phones.
 */
const ROW =
  '@max-4xl/roster:grid @max-4xl/roster:grid-cols-[64px_minmax(0,1fr)_32px_minmax(0,1fr)_44px] @max-4xl/roster:items-center @max-4xl/roster:py-1';
/** Later changes of an athlete wait for its answer: one that hangs must not block them. */
const ANSWER_MS = 20_000;
const NOT_SAVED = 'This was not saved:';
const NO_ANSWER = {
  heading: 'The server did not respond:',
  messages: ['This change may not have been saved. Check your connection, then reload the page to see.'],
};
/** Longer names do not fit next to each other at 390 px, and at 320 px. */
const [FIT_PHONE, FIT_SMALL_PHONE] = [12, 8];
/** The columns of both names: next to each other, or one below the other. */
const firstName = (longest: number) =>
  cx(
    'p-1 @4xl/roster:min-w-28 @max-4xl/roster:col-span-2 @max-[16rem]/roster:col-span-4',
    longest > FIT_PHONE && '@max-[36rem]/roster:col-span-4',
    longest > FIT_SMALL_PHONE && '@max-[19rem]/roster:col-span-4',
  );
const lastName = (longest: number) =>
  cx(
    'p-1 @4xl/roster:min-w-32 @max-4xl/roster:col-span-2 @max-[16rem]/roster:col-span-5',
    longest > FIT_PHONE && '@max-[36rem]/roster:col-[2/-1] @5xl/roster:min-w-60',
    longest > FIT_SMALL_PHONE && '@max-[19rem]/roster:col-span-5',
  );
const HEAD = ['Number', 'First name', 'Last name', 'Team', 'Consent', 'Family', 'Photos'];

/** Every cell is editable; Enter and the arrow keys move up and down, Escape undoes typing. */
export function RosterTable(props: RosterTableProps) {
  const { athletes, season, teams } = props;
  const table = useRef<HTMLTableElement>(null);
  const [problems, setProblems] = useState<{ heading: string; messages: string[] } | null>(null);
  /** The last change of each athlete that the server has not answered. */
  const unsaved = useRef(new Map<number, Promise<boolean>>());
  const isUnsaved = useCallback(() => unsaved.current.size > 0, []);

  /** Changes of one athlete are sent one after another, so that the answer shown last contains them all. */
  async function save(...what: Parameters<typeof send>): Promise<boolean> {
    const [{ id }] = what;
    const before = unsaved.current.get(id);
    setProblems(null);
    const saved = before ? before.then(() => send(...what)) : send(...what);
    unsaved.current.set(id, saved);
    const isSaved = await saved;
    if (unsaved.current.get(id) === saved) unsaved.current.delete(id);
    return isSaved;
  }

  async function send(athlete: AthleteAnswer, change: object, seen: object = {}): Promise<boolean> {
    const body = { athlete: change, seen };
    const signal = AbortSignal.timeout(ANSWER_MS);
    const call = api('PUT /api/v1/athletes/{id}', { params: { id: athlete.id }, body, signal });
    const answer = await call.catch(() => null);
    if (!answer?.ok) {
      setProblems(answer ? { heading: NOT_SAVED, messages: messagesOf(answer) } : NO_ANSWER);
      return false;
    }
    props.onChanged(answer.data.athlete);
    const notes = [...answer.data.warnings, ...effectWords(answer.data)];
    if (notes.length > 0) showToast(notes.join(' '));
    return true;
  }

  return (
    <>
      <LeaveGuard isUnsaved={isUnsaved} question="Changes to the roster are still being saved." />
      <ErrorList messages={problems?.messages ?? []} heading={problems?.heading ?? NOT_SAVED} />
      <div
        role="region"
        aria-label="Athletes"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by keyboard (axe: scrollable-region-focusable)
        tabIndex={0}
        className="@container/roster relative overflow-x-auto rounded-lg border border-line bg-surface"
      >
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- arrow keys walk between its fields */}
        <table
          ref={table}
          onKeyDown={(event) => walk(event, table.current)}
          className="w-full text-left @max-4xl/roster:block"
        >
          <thead className="border-b border-line bg-sunken text-xs text-quiet @max-4xl/roster:sr-only">
            <tr>
              {HEAD.map((name) => (
                <th key={name} scope="col" className="px-2 py-2 font-semibold whitespace-nowrap">
                  {name}
                </th>
              ))}
              <th scope="col" className="w-11">
                <span className="sr-only">More</span>
              </th>
            </tr>
          </thead>
          <tbody className="@max-4xl/roster:block">
            {athletes.map((athlete) => (
              <AthleteRow
                key={athlete.id}
                athlete={athlete}
                season={season}
                teams={teams}
                onSave={save}
                onOpen={() => props.onOpen(athlete)}
              />
            ))}
          </tbody>
        </table>
      </div>
      <AddAthlete {...props} />
    </>
  );
}

/** Enter and the arrow keys move to the same column of the next row. */
function walk(event: KeyboardEvent, table: HTMLTableElement | null): void {
  const cell = event.target as HTMLElement;
  const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (cell.tagName !== 'INPUT') return;
  if (event.key === 'Escape') {
    const input = cell as HTMLInputElement;
    input.value = input.defaultValue;
    return;
  }
  if (step === undefined) return;
  event.preventDefault();
  const column = [...(table?.querySelectorAll<HTMLInputElement>(`[data-column="${cell.dataset['column']}"]`) ?? [])];
  const next = column[column.indexOf(cell as HTMLInputElement) + step];
  if (next) next.select();
  else cell.blur();
}

type AthleteRowProps = Omit<CellProps, 'name'> & {
  season: number | null;
  teams: readonly TeamAnswer[];
  onOpen: () => void;
};

function AthleteRow({ athlete, season, teams, onSave, onOpen }: AthleteRowProps) {
  const name = `${athlete.first_name ?? ''} ${athlete.last_name ?? ''}`.trim();
  const entries = athlete.entries.filter((entry) => season === null || entry.season_id === season);
  const [entry] = entries;
  const longest = Math.max(athlete.first_name?.length ?? 0, athlete.last_name?.length ?? 0);
  const cell = (
    column: string,
    label: string,
    value: string,
    change: (typed: string) => [object, object?],
    taken?: string,
  ) => (
    <input
      // Shows a value that was saved elsewhere; other cells keep what is being typed.
      key={`${column} ${value}`}
      type="text"
      data-column={column}
      aria-label={`${label} of ${name}`}
      defaultValue={value}
      autoComplete="off"
      inputMode={column === 'number' ? 'numeric' : undefined}
      className={taken === undefined ? CELL : NAME}
      style={taken === undefined ? undefined : nameStyle(value, taken)}
      onBlur={(event) => {
        const input = event.target;
        if (input.value.trim() === value) return;
        void onSave(athlete, ...change(input.value.trim())).then((isSaved) => {
          if (!isSaved) input.value = value;
        });
      }}
    />
  );
  return (
    <tr className={cx(ROW, 'border-t border-line first:border-t-0')}>
      <td className="p-1 @4xl/roster:w-24">
        {entry &&
          cell('number', 'Number', entry.number ?? '', (typed) => [
            { entries: [{ team_id: entry.team_id, number: typed === '' ? null : typed }] },
          ])}
      </td>
      <td className={firstName(longest)}>
        {cell(
          'first',
          'First name',
          athlete.first_name ?? '',
          (typed) => [{ first_name: typed }, { first_name: athlete.first_name ?? '' }],
          '96px',
        )}
      </td>
      <td className={lastName(longest)}>
        {cell(
          'last',
          'Last name',
          athlete.last_name ?? '',
          (typed) => [{ last_name: typed }, { last_name: athlete.last_name ?? '' }],
          '32px',
        )}
      </td>
      <td className="p-1 @max-4xl/roster:col-span-2 @max-[16rem]/roster:col-span-5">
        <TeamCell athlete={athlete} name={name} entries={entries} teams={teams} onSave={onSave} />
      </td>
      <td className="p-1 @max-4xl/roster:col-span-2 @max-[16rem]/roster:col-span-4">
        <ConsentCell athlete={athlete} name={name} onSave={onSave} />
      </td>
      <td className="px-2 text-sm text-quiet tabular-nums @max-4xl/roster:order-1 @max-4xl/roster:col-span-2 @max-4xl/roster:ml-1 @max-4xl/roster:pb-2 @4xl/roster:whitespace-nowrap">
        {familyWords(athlete)}
      </td>
      <td className="px-2 text-sm text-quiet tabular-nums @max-4xl/roster:order-1 @max-4xl/roster:col-span-3 @max-4xl/roster:ml-1 @max-4xl/roster:pb-2">
        {athlete.photo_count}
        <span className="@4xl/roster:hidden">{athlete.photo_count === 1 ? ' photo' : ' photos'}</span>
      </td>
      <td>
        <IconButton label={`More about ${name}`} onClick={onOpen}>
          <Ellipsis aria-hidden="true" />
        </IconButton>
      </td>
    </tr>
  );
}

function familyWords({ families, card_opened: isOpened, devices }: AthleteAnswer): string {
  const addresses = families === 0 ? 'no address' : counted(families, 'address', 'addresses');
  if (devices > MANY_DEVICES) return `${addresses}, opened on ${devices} devices`;
  return isOpened ? `${addresses}, opened` : addresses;
}

/** A row below the table: Enter adds an athlete, and the next one can be typed. */
function AddAthlete({ organizationId, teams, team, season, onAdded }: RosterTableProps) {
  const first = useRef<HTMLInputElement>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  async function add(form: HTMLFormElement): Promise<void> {
    const typed = (name: string) => String(new FormData(form).get(name) ?? '').trim();
    setSending(true);
    const teamId = await teamOf(organizationId, { teams, team, season, typed: typed('team') });
    if (teamId === null) {
      setSending(false);
      return setProblems(['Please name the team, for example “Hawks U12”.']);
    }
    const number = typed('number') === '' ? null : typed('number');
    const athlete = { first_name: typed('first'), last_name: typed('last'), entries: [{ team_id: teamId, number }] };
    const body = { athlete };
    const answer = await api('POST /api/v1/affiliates/{id}/athletes', { params: { id: organizationId }, body });
    setSending(false);
    if (!answer.ok) return setProblems(messagesOf(answer));
    setProblems([]);
    for (const name of ['first', 'last', 'number'] as const)
      (form.elements.namedItem(name) as HTMLInputElement).value = '';
    first.current?.focus();
    onAdded(answer.data.athlete);
    if (answer.data.warnings.length > 0) showToast(answer.data.warnings.join(' '));
  }
  const field = (name: string, label: string, width: string) => (
    <label className={width}>
      <span className="mb-1 block text-xs font-semibold text-quiet">{label}</span>
      <input
        ref={name === 'first' ? first : undefined}
        name={name}
        autoComplete="off"
        inputMode={name === 'number' ? 'numeric' : undefined}
        className="h-11 w-full rounded border border-line-strong bg-surface px-3 text-base"
      />
    </label>
  );
  const chosen = teams.find(({ id }) => id === team);
  return (
    <form
      method="dialog"
      aria-label="Add an athlete"
      onSubmit={(event) => {
        event.preventDefault();
        void add(event.currentTarget);
      }}
      className="flex flex-col gap-3"
    >
      <ErrorList messages={problems} heading="No one was added:" />
      <div className="flex flex-wrap items-end gap-2">
        {field('first', 'First name', 'w-40 max-sm:w-full')}
        {field('last', 'Last name', 'w-40 max-sm:w-full')}
        {field('number', 'Number', 'w-24')}
        <label className="w-48">
          <span className="mb-1 block text-xs font-semibold text-quiet">Team</span>
          <input
            name="team"
            list="teams-of-season"
            defaultValue={chosen?.name ?? ''}
            autoComplete="off"
            className="h-11 w-full rounded border border-line-strong bg-surface px-3 text-base"
          />
          <datalist id="teams-of-season">
            {teams.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </label>
        <Button type="submit" variant="secondary" busy={isSending && 'Adding...'}>
          Add by hand
        </Button>
      </div>
    </form>
  );
}

type WantedTeam = { teams: readonly TeamAnswer[]; team: number | null; season: number | null; typed: string };

/** The typed team; a new one is created, and a season if there is none. */
async function teamOf(organizationId: number, { teams, team, season, typed }: WantedTeam): Promise<number | null> {
  if (typed === '') return team;
  const known = teams.find(({ name }) => name.toLowerCase() === typed.toLowerCase());
  if (known) return known.id;
  const body = { team: { name: typed, ...(season === null ? {} : { season_id: season }) } };
  const made = await api('POST /api/v1/affiliates/{id}/teams', { params: { id: organizationId }, body });
  return made.ok ? made.data.id : null;
}
