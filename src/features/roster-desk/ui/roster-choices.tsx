/** The two choices in an athlete's row: the team, and the family's consent. */
import { CONSENTS, type Consent } from '#src/features/consent/consent.contract.ts';
import type { AthleteAnswer, TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { CONSENT_WORDS } from '#src/features/roster/roster-words.rules.ts';

/** What every editable cell of the table looks like. */
export const CELL_BOX =
  'h-11 w-full rounded border border-transparent bg-transparent px-2 text-base text-ink hover:border-line-strong focus:border-line-strong focus:bg-surface';
/** Wide enough for a team, and for "Family only". */
const CHOICE = `${CELL_BOX} @4xl/roster:min-w-36`;

export type CellProps = {
  athlete: AthleteAnswer;
  name: string;
  /** `seen` are the values that the change replaces. */
  onSave: (athlete: AthleteAnswer, change: object, seen?: object) => Promise<boolean>;
};

type TeamCellProps = CellProps & { entries: AthleteAnswer['entries']; teams: readonly TeamAnswer[] };

/** Chooses one team; athletes on several teams are changed under “More”. */
export function TeamCell({ athlete, name, entries, teams, onSave }: TeamCellProps) {
  const [entry] = entries;
  if (entries.length > 1) return <span className="px-2 text-sm">{entries.map(({ team }) => team).join(', ')}</span>;
  function move(teamId: number | null): void {
    const leave = entry ? { leave_teams: [entry.team_id] } : {};
    const join = teamId === null ? {} : { entries: [{ team_id: teamId, number: entry?.number ?? null }] };
    void onSave(athlete, { ...join, ...leave });
  }
  return (
    <select
      aria-label={`Team of ${name}`}
      className={CHOICE}
      value={entry?.team_id ?? ''}
      onChange={(event) => move(event.target.value === '' ? null : Number(event.target.value))}
    >
      <option value="">No team</option>
      {teams.map(({ id, name: team }) => (
        <option key={id} value={id}>
          {team}
        </option>
      ))}
    </select>
  );
}

export function ConsentCell({ athlete, name, onSave }: CellProps) {
  return (
    <select
      aria-label={`Consent of ${name}`}
      className={CHOICE}
      value={athlete.consent}
      onChange={(event) =>
        void onSave(athlete, { consent: event.target.value as Consent }, { consent: athlete.consent })
      }
    >
      {CONSENTS.map((consent) => (
        <option key={consent} value={consent}>
          {CONSENT_WORDS[consent]}
        </option>
      ))}
    </select>
  );
}
