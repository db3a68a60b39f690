import { narrowed } from '#src/features/tagging-desk/command.rules.ts';
import type { DeskPhoto, DeskPlayer, DeskRoster, DeskTeam } from '#src/features/tagging-desk/desk-model.rules.ts';
import { cx } from '#src/ui/cx.ts';
import { Check } from '#src/ui/icon.tsx';

type RosterListProps = {
  roster: DeskRoster;
  text: string;
  photo: DeskPhoto | null;
  onToggle: (player: DeskPlayer) => void;
};

/** The consents that hide photos. */
const NOT_FOR_ALL: Partial<Record<DeskPlayer['consent'], string>> = { no: 'not published', family: 'family only' };

const keyOf = ({ athleteId, teamId }: DeskPlayer) => `${teamId} ${athleteId}`;

/** The players of the teams in play; while typing, those that the line may mean. A click tags, another one removes the tag. */
export function RosterList({ roster, text, photo, onToggle }: RosterListProps) {
  const players = narrowed(text, roster);
  return (
    <section aria-label="Roster" className="relative w-56 shrink-0 max-md:hidden lg:w-72">
      <div className="desk-side flex flex-col gap-3">
        {roster.teams.map((team, at) => (
          <TeamPlayers
            key={team.id}
            team={team}
            prefix={roster.teams.length > 1 ? ['h', 'a'][at] : undefined}
            place={roster.teams.length > 1 ? at + 1 : null}
            players={players.filter(({ teamId }) => teamId === team.id)}
            photo={photo}
            onToggle={onToggle}
          />
        ))}
        {players.length === 0 && text !== '' && <p className="text-sm text-quiet">No matches.</p>}
      </div>
    </section>
  );
}

type TeamPlayersProps = {
  team: DeskTeam;
  /** The letter before a number. */
  prefix: string | undefined;
  place: number | null;
  players: readonly DeskPlayer[];
  photo: DeskPhoto | null;
  onToggle: (player: DeskPlayer) => void;
};

function TeamPlayers({ team, prefix, place, players, photo, onToggle }: TeamPlayersProps) {
  const tagged = new Set(photo?.tags.map(({ athleteId }) => athleteId));
  return (
    <div>
      <h2 className="flex items-baseline justify-between gap-2 text-sm">
        <span className="min-w-0 break-words">{team.name}</span>
        {place !== null && (
          <span className="shrink-0 font-sans text-xs font-normal text-quiet">
            {prefix !== undefined && `${prefix} or `}
            {place}.
          </span>
        )}
      </h2>
      <ul className="mt-1">
        {players.map((player) => {
          const isTagged = tagged.has(player.athleteId);
          return (
            <li key={keyOf(player)}>
              <button
                type="button"
                aria-pressed={isTagged}
                onClick={() => onToggle(player)}
                className={cx(
                  'flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left text-sm hover:bg-surface',
                  isTagged && 'bg-surface',
                )}
              >
                <span className="w-9 shrink-0 text-right font-semibold tabular-nums">{player.number ?? '–'}</span>
                <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-2">
                  <span className="grow break-words">{player.name}</span>
                  {NOT_FOR_ALL[player.consent] && (
                    <span className="text-xs text-warning">{NOT_FOR_ALL[player.consent]}</span>
                  )}
                </span>
                {isTagged && <Check aria-hidden="true" className="size-4 shrink-0" />}
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

const MATCHES = 6;

/** The first matches that fit, above the number pad and in the dialog for many photos. */
export function RosterMatches({ roster, text, photo, onToggle, className }: RosterListProps & { className?: string }) {
  const tagged = new Set(photo?.tags.map(({ athleteId }) => athleteId));
  const players = text === '' ? [] : narrowed(text, roster).slice(0, MATCHES);
  const teamOf = ({ teamId }: DeskPlayer) =>
    roster.teams.length > 1 ? `${roster.teams.find(({ id }) => id === teamId)?.shortName} ` : '';
  if (players.length === 0) return null;
  return (
    <ul aria-label="Matches" className={cx('flex flex-wrap gap-2', className)}>
      {players.map((player) => (
        <li key={keyOf(player)}>
          <button
            type="button"
            aria-pressed={tagged.has(player.athleteId)}
            onClick={() => onToggle(player)}
            className="min-h-11 rounded border border-line-strong px-3 text-sm aria-pressed:bg-surface"
          >
            {teamOf(player)}
            <b>{player.number ?? ''}</b> {player.name}
          </button>
        </li>
      ))}
    </ul>
  );
}
