import { useState, type FormEvent } from 'react';
import { holdOffBox } from '#src/features/consent/consent.contract.ts';
import { NO_ROSTER, NO_TEAMS_TITLE, teamsHold } from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { MAX_TEAMS_IN_PLAY } from '#src/features/tagging-desk/desk-teams.contract.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Button } from '#src/ui/button.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Checkbox } from '#src/ui/form/checkbox.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { Users } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { api, messagesOf } from '#src/web/api-client.ts';

type Choice = { id: number; name: string; season: string; plays: boolean; holds: boolean };

type TeamChoiceProps = {
  galleryId: number;
  galleryName: string;
  choices: readonly Choice[];
  editorPath: string;
  rosterPath: string;
  onChosen: () => void;
};

/** Chooses the teams that play in the photos of a gallery. */
export function TeamChoice({ galleryId, galleryName, choices, editorPath, rosterPath, onChosen }: TeamChoiceProps) {
  const [chosen, setChosen] = useState(() => choices.filter(({ plays }) => plays).map(({ id }) => id));
  const [messages, setMessages] = useState<string[]>([]);
  /** How many athletes must not be published, once the server asks to confirm it. */
  const [notPublished, setNotPublished] = useState<number | null>(null);
  const [isTicked, setTicked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const holding = choices.filter(({ id, plays, holds }) => holds && !plays && chosen.includes(id));
  const seasons = [...new Set(choices.map(({ season }) => season))];

  async function start(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    const answer = await api('PUT /api/v1/galleries/{id}/teams', {
      params: { id: galleryId },
      body: { team_ids: chosen, ...(notPublished !== null && isTicked ? { not_published: notPublished } : {}) },
    });
    setBusy(false);
    setMessages(answer.ok ? [] : messagesOf(answer));
    if (answer.ok) return onChosen();
    const count = answer.body['not_published'];
    setNotPublished(typeof count === 'number' ? count : null);
    setTicked(false);
  }

  return (
    <Main className="max-w-180 pb-12">
      <PageHeader title={NO_TEAMS_TITLE} subtitle={galleryName} back={<BackLink to={editorPath}>Gallery</BackLink>} />
      {choices.length === 0 ? (
        <EmptyState
          icon={<Users />}
          title="No teams yet"
          action={<LinkButton to={rosterPath}>Open the roster</LinkButton>}
        >
          {NO_ROSTER}
        </EmptyState>
      ) : (
        <form method="dialog" className="flex flex-col gap-6" onSubmit={(event) => void start(event)}>
          <ErrorList messages={messages} />
          {seasons.map((season) => (
            <Season
              key={season}
              name={season}
              teams={choices.filter((choice) => choice.season === season)}
              chosen={chosen}
              onChosen={setChosen}
            />
          ))}
          <div role="status">
            {holding.length > 0 && <Notice tone="warning">{teamsHold(holding.map(({ name }) => name))}</Notice>}
          </div>
          {notPublished !== null && (
            <Checkbox
              label={holdOffBox(notPublished)}
              checked={isTicked}
              onChange={({ target }) => setTicked(target.checked)}
            />
          )}
          <Button type="submit" className="self-start" disabled={chosen.length === 0} busy={isBusy && 'Saving...'}>
            Start tagging
          </Button>
        </form>
      )}
    </Main>
  );
}

type SeasonProps = { name: string; teams: readonly Choice[]; chosen: number[]; onChosen: (chosen: number[]) => void };

function Season({ name, teams, chosen, onChosen }: SeasonProps) {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-2 text-base font-bold">{name}</legend>
      {teams.map((team) => (
        <Checkbox
          key={team.id}
          label={team.name}
          checked={chosen.includes(team.id)}
          disabled={!chosen.includes(team.id) && chosen.length >= MAX_TEAMS_IN_PLAY}
          onChange={({ target }) =>
            onChosen(target.checked ? [...chosen, team.id] : chosen.filter((one) => one !== team.id))
          }
        />
      ))}
    </fieldset>
  );
}
