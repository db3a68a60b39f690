import { lazy, Suspense, useState } from 'react';
import { useNavigate, useRevalidator } from 'react-router';
import { CONSENTS, type Consent } from '#src/features/consent/consent.contract.ts';
import type { AthleteAnswer, AthletesPage, SeasonAnswer, TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { CONSENT_WORDS } from '#src/features/roster/roster-words.rules.ts';
import { AthleteDialog } from '#src/features/roster-desk/ui/athlete-dialog.tsx';
import { useFirstQuestions } from '#src/features/roster-desk/first-questions.client.ts';
import { FirstRoster } from '#src/features/roster-desk/ui/first-roster.tsx';
import { IncludedDialog } from '#src/features/roster-desk/ui/included-dialog.tsx';
import { PartDialog } from '#src/features/roster-desk/ui/part-dialog.tsx';
import { RosterTable } from '#src/features/roster-desk/ui/roster-table.tsx';
import { SeasonDialog } from '#src/features/roster-desk/ui/season-dialog.tsx';
import { TeamTools } from '#src/features/roster-desk/ui/team-tools.tsx';
import { counted } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { cx } from '#src/ui/cx.ts';
import { SearchField } from '#src/ui/form/search-field.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { Download, Pencil, Settings, Upload } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { api, type ApiResult } from '#src/web/api-client.ts';
import { useMoreRows, type Place } from '#src/web/use-more-rows.ts';
import { Link } from 'react-router';

type Part = Parameters<typeof PartDialog>[0]['part'];
type Opened =
  | { what: 'new season' }
  | { what: 'athlete'; athlete: AthleteAnswer }
  | { what: 'included'; team: TeamAnswer }
  | Part;

type RosterScreenProps = {
  id: number;
  name: string;
  path: string;
  seasons: SeasonAnswer[];
  season: number | null;
  teams: TeamAnswer[];
  team: number | null;
  /** Only athletes with this consent. */
  consent: Consent | null;
  page: AthletesPage;
  /** Consents lapse with the next season. */
  isYearly: boolean;
  /** Whether someone has decided who can find a child, and what `unknown` means. */
  isAnswered: boolean;
};

/** Shown once. */
const FirstQuestionsCard = lazy(async () => ({
  default: (await import('#src/features/roster-desk/ui/first-questions.tsx')).FirstQuestionsCard,
}));

/** The steps after a roster. */
const CARDS_HINT = 'Choose a team to print its cards. To tag photos, open a gallery and click “Tag athletes”.';

const SEARCH_AFTER_MS = 200;

/** The roster of a season: teams as chips, and a table that is edited like a spreadsheet. */
export function RosterScreen(props: RosterScreenProps) {
  const { id, name, path, seasons, season, teams, team, consent, page, isAnswered, isYearly } = props;
  const [opened, setOpened] = useState<Opened | null>(null);
  const [typesByHand, setTypesByHand] = useState(false);
  const { list, search, ...rows } = useAthletes(page, id, { season, team, consent });
  const questions = useFirstQuestions(id, isAnswered);
  const isEmpty = seasons.every(({ athletes }) => athletes === 0) && !typesByHand;
  const at = `/${path}/roster`;
  const [current, currentTeam] = [seasons.find((each) => each.id === season), teams.find((each) => each.id === team)];
  return (
    <Main className="pb-12">
      <PageHeader
        title="Roster"
        subtitle={name}
        action={isEmpty ? undefined : <FileButtons id={id} season={season} at={at} />}
      />
      {isEmpty ? (
        <FirstRoster importPage={`${at}/import`} onByHand={() => setTypesByHand(true)} />
      ) : (
        <div className="flex min-w-0 flex-col gap-4">
          <RosterBar {...{ at, seasons, season, team, consent, search }} onOpen={setOpened} />
          <Suspense>{questions.isOpen && page.total > 0 && <FirstQuestionsCard questions={questions} />}</Suspense>
          <TeamChips at={at} season={season} teams={teams} current={team} consent={consent} />
          {currentTeam ? (
            <TeamTools
              team={currentTeam}
              onEdit={() => setOpened({ what: 'team', now: currentTeam })}
              onIncluded={() => setOpened({ what: 'included', team: currentTeam })}
            />
          ) : (
            teams.length > 0 && <p className="text-sm text-quiet">{CARDS_HINT}</p>
          )}
          <p role="status" className="text-sm text-quiet tabular-nums">
            {search.found === null
              ? counted(page.total, 'athlete', 'athletes')
              : `${counted(search.total, 'athlete', 'athletes')} found`}
          </p>
          <RosterTable
            organizationId={id}
            season={season}
            athletes={search.found ?? list.rows}
            teams={teams}
            team={team}
            onChanged={rows.change}
            onAdded={rows.add}
            onOpen={(athlete) => setOpened({ what: 'athlete', athlete })}
          />
          {search.found === null && <ShowMore {...list.more} />}
        </div>
      )}
      <OpenedDialog
        {...{ id, at, teams, opened, rows, isYearly }}
        from={current ?? null}
        onClose={() => setOpened(null)}
      />
    </Main>
  );
}

/** The query of the page and the request. */
type Filter = { season: number | null; team: number | null; consent: Consent | null };

const chosenOf = ({ season, team, consent }: Filter) => ({
  ...(season === null ? {} : { season }),
  ...(team === null ? {} : { team }),
  ...(consent === null ? {} : { consent }),
});

function filterOf(filter: Filter): string {
  const params = Object.entries(chosenOf(filter)).map(([name, value]) => `${name}=${value}`);
  return `?${params.join('&')}`;
}

type OpenedDialogProps = Pick<RosterScreenProps, 'id' | 'teams' | 'isYearly'> & {
  at: string;
  opened: Opened | null;
  rows: Pick<ReturnType<typeof useAthletes>, 'change' | 'add' | 'drop'>;
  /** The visible season. */
  from: SeasonAnswer | null;
  onClose: () => void;
};

function OpenedDialog({ id, at, teams, opened, rows, isYearly, from, onClose }: OpenedDialogProps) {
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  function go(search: string): void {
    onClose();
    void navigate(`${at}${search}`);
  }
  if (opened?.what === 'athlete')
    return (
      <AthleteDialog
        athlete={opened.athlete}
        organizationId={id}
        teams={teams}
        onClose={onClose}
        onChanged={rows.change}
        onSeparated={rows.add}
        onGone={() => {
          rows.drop(opened.athlete.id);
          onClose();
        }}
      />
    );
  if (opened?.what === 'new season')
    return (
      <SeasonDialog
        organizationId={id}
        from={from}
        isYearly={isYearly}
        onClose={(isCopying) => {
          onClose();
          if (isCopying) void revalidate();
        }}
        // Lists the athletes who must be asked again.
        onMade={(seasonId, asksForConsent) =>
          go(filterOf({ season: seasonId, team: null, consent: asksForConsent ? 'unknown' : null }))
        }
      />
    );
  if (opened?.what === 'included') return <IncludedDialog team={opened.team} onClose={onClose} />;
  if (!opened) return null;
  return (
    <PartDialog
      part={opened}
      onClose={onClose}
      onChanged={(isThere) => {
        if (!isThere) return go(opened.what === 'team' ? `?season=${from?.id}` : '');
        onClose();
        void revalidate();
      }}
    />
  );
}

type FileButtonsProps = Pick<RosterScreenProps, 'id' | 'season'> & { at: string };

function FileButtons({ id, season, at }: FileButtonsProps) {
  return (
    <div className="flex flex-wrap gap-2">
      <LinkButton variant="secondary" to={`${at}/settings`}>
        <Settings aria-hidden="true" />
        Settings
      </LinkButton>
      <a
        href={`/api/v1/affiliates/${id}/athletes.csv?season=${season ?? ''}`}
        download
        className={buttonStyle({ variant: 'secondary' })}
      >
        <Download aria-hidden="true" />
        Export CSV
      </a>
      <LinkButton to={`${at}/import`}>
        <Upload aria-hidden="true" />
        Import a file
      </LinkButton>
    </div>
  );
}

type RosterBarProps = Pick<RosterScreenProps, 'seasons' | 'season' | 'team' | 'consent'> & {
  at: string;
  search: ReturnType<typeof useSearch>;
  onOpen: (opened: Opened) => void;
};

function RosterBar({ at, seasons, season, team, consent, search, onOpen }: RosterBarProps) {
  const navigate = useNavigate();
  const current = seasons.find((each) => each.id === season);
  return (
    <div className="flex flex-wrap items-end gap-3">
      {seasons.length > 0 && (
        <div className="w-52 max-sm:min-w-[max(40%,8.5rem)] max-sm:flex-1">
          <Select
            label="Season"
            value={season ?? ''}
            onChange={(event) => void navigate(`${at}?season=${event.target.value}`)}
          >
            {seasons.map((each) => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </Select>
        </div>
      )}
      {seasons.length > 0 && (
        <div className="w-40 max-sm:min-w-[max(40%,8.5rem)] max-sm:flex-1">
          <Select
            label="Consent"
            value={consent ?? ''}
            onChange={(event) => {
              const chosen = CONSENTS.find((each) => each === event.target.value) ?? null;
              void navigate(`${at}${filterOf({ season, team, consent: chosen })}`);
            }}
          >
            <option value="">All</option>
            {CONSENTS.map((each) => (
              <option key={each} value={each}>
                {CONSENT_WORDS[each]}
              </option>
            ))}
          </Select>
        </div>
      )}
      {current && (
        <Button variant="quiet" onClick={() => onOpen({ what: 'season', now: current })}>
          <Pencil aria-hidden="true" />
          Edit season
        </Button>
      )}
      <Button variant="secondary" onClick={() => onOpen({ what: 'new season' })}>
        {seasons.length > 0 ? 'Start the next season' : 'Create a season'}
      </Button>
      <SearchField
        label="Search names and numbers"
        placeholder="Name or number"
        value={search.text}
        onChange={(event) => search.ask(event.target.value)}
        onClear={() => search.ask('')}
        className="sm:ml-auto sm:max-w-64"
      />
    </div>
  );
}

/** The athletes of the page and of a search, which change together. */
function useAthletes(page: AthletesPage, id: number, filter: Filter) {
  const { revalidate } = useRevalidator();
  const load = (query: Place & { limit?: number; q?: string }) =>
    api('GET /api/v1/affiliates/{id}/athletes', { params: { id }, query: { ...chosenOf(filter), ...query } });
  const list = useMoreRows(page, 'athletes', load);
  const search = useSearch((q) => load({ limit: 200, q }));
  return {
    list,
    search,
    change(athlete: AthleteAnswer): void {
      const put = (rows: readonly AthleteAnswer[]) => rows.map((each) => (each.id === athlete.id ? athlete : each));
      list.setRows(put);
      search.change(put);
    },
    add(athlete: AthleteAnswer): void {
      list.setRows((rows) => [...rows, athlete]);
      void revalidate();
    },
    drop(athleteId: number): void {
      const without = (rows: readonly AthleteAnswer[]) => rows.filter((each) => each.id !== athleteId);
      list.setRows(without);
      search.change(without);
      void revalidate();
    },
  };
}

/** The search text stays out of the page's address: it may be a child's name. */
function useSearch(load: (typed: string) => Promise<ApiResult<AthletesPage>>) {
  const [text, setText] = useState('');
  const [result, setResult] = useState<AthletesPage | null>(null);
  const [timer, setTimer] = useState<ReturnType<typeof setTimeout>>();
  function ask(typed: string): void {
    setText(typed);
    clearTimeout(timer);
    if (typed.trim() === '') return setResult(null);
    const search = async () => {
      const answer = await load(typed.trim());
      if (answer.ok) setResult(answer.data);
    };
    setTimer(setTimeout(() => void search(), SEARCH_AFTER_MS));
  }
  const found = text.trim() === '' ? null : (result?.athletes ?? null);
  const change = (put: (rows: readonly AthleteAnswer[]) => readonly AthleteAnswer[]) =>
    setResult((before) => before && { ...before, athletes: [...put(before.athletes)] });
  return { text, ask, found, total: result?.total ?? 0, change };
}

type TeamChipsProps = Pick<RosterScreenProps, 'consent'> & {
  at: string;
  season: number | null;
  teams: TeamAnswer[];
  current: number | null;
};

function TeamChips({ at, season, teams, current, consent }: TeamChipsProps) {
  if (teams.length === 0) return null;
  const chips = [{ id: null, name: 'All', athletes: null }, ...teams];
  return (
    <nav aria-label="Teams">
      <ul className="flex flex-wrap gap-2">
        {chips.map((each) => (
          <li key={each.id}>
            <Link
              to={`${at}${filterOf({ season, team: each.id, consent })}`}
              aria-current={each.id === current ? 'page' : undefined}
              className={cx(
                'inline-flex min-h-11 items-center gap-1.5 rounded-full border px-4 text-sm font-semibold',
                each.id === current ? 'border-accent-text bg-accent-tint text-accent-text' : 'border-line bg-surface',
              )}
            >
              {each.name}
              {each.athletes !== null && <span className="font-normal text-quiet tabular-nums">{each.athletes}</span>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
