// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test } from 'vitest';
import { TeamChoice } from '#src/features/tagging-desk/ui/team-choice.tsx';

afterEach(cleanup);

const team = (id: number, name: string, wish: { plays?: boolean; holds?: boolean }) => ({
  id,
  name,
  season: '2026-27',
  plays: wish.plays ?? false,
  holds: wish.holds ?? false,
});

test('a choice that would hide photos says so before, naming the teams, and only for teams that are new', async () => {
  const choices = [
    team(1, 'Hawks U10', { plays: true, holds: true }),
    team(2, 'Hawks U12', { holds: true }),
    team(3, 'Hawks U14', { holds: true }),
    team(4, 'Hawks U16', {}),
  ];
  render(
    <MemoryRouter>
      <TeamChoice
        galleryId={1}
        galleryName="Cup"
        choices={choices}
        editorPath="/hawks/gallery/1/edit"
        rosterPath="/hawks/roster"
        onChosen={() => undefined}
      />
    </MemoryRouter>,
  );
  const status = screen.getByRole('status');
  await userEvent.click(screen.getByLabelText('Hawks U16'));
  expect(status.textContent).toBe('');
  await userEvent.click(screen.getByLabelText('Hawks U12'));
  await userEvent.click(screen.getByLabelText('Hawks U14'));
  expect(status.textContent).toMatch(
    /^Some athletes of Hawks U12 and Hawks U14 must not be published. .* hidden from visitors until/,
  );
  await userEvent.click(screen.getByLabelText('Hawks U12'));
  await userEvent.click(screen.getByLabelText('Hawks U14'));
  expect(status.textContent).toBe('');
});
