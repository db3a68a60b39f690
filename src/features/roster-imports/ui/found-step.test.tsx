// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { RosterImportAnswer } from '#src/features/roster-imports/roster-imports.contract.ts';
import { FoundStep } from '#src/features/roster-imports/ui/found-step.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const row = (at: number, result: 'created' | 'updated' | 'skipped', changes: string[] = []) => ({
  row: at,
  result,
  errors: [],
  warnings: [],
  changes,
  id: null,
});
const ANSWER: RosterImportAnswer = {
  import_id: null,
  status: 'checked',
  started_at: null,
  total: 3,
  created: 1,
  updated: 1,
  skipped: 1,
  failed: 0,
  waiting: 0,
  columns: [],
  asks: [],
  new_teams: [],
  moving: 0,
  notices: [],
  sentences: null,
  preview: [
    { row: 2, cells: { name: 'Ada Lang', number: '7' } },
    { row: 3, cells: { name: 'Ben Ost', number: '9' } },
  ],
  rows: [row(2, 'created'), row(3, 'updated', ['Ben O. has number 9 instead of 8.']), row(4, 'skipped')],
};

const showFound = (answer: RosterImportAnswer) =>
  show(
    <FoundStep
      answer={answer}
      choices={{ columns: '', team: '', seasonId: null, moves: null }}
      questions={{ isOpen: false } as Parameters<typeof FoundStep>[0]['questions']}
      isBusy={false}
      onChange={() => {}}
      onStart={() => {}}
      onCancel={() => {}}
    />,
  );
const changesShown = () =>
  within(screen.getByRole('list', { name: 'Changes' }))
    .getAllByRole('listitem')
    .map((each) => each.textContent);

test('before a roster is imported, it says which rows are new and what changes', () => {
  showFound(ANSWER);
  const cellsOf = (each: HTMLElement) => [...each.querySelectorAll('th, td')].map((cell) => cell.textContent);
  expect(screen.getAllByRole('row').map(cellsOf)).toEqual([
    ['Row', 'Import', 'First and last name', 'Number'],
    ['2', 'New', 'Ada Lang', '7'],
    ['3', 'Changed', 'Ben Ost', '9'],
  ]);
  expect(changesShown()).toEqual(['Row 3: Ben O. has number 9 instead of 8.']);
  screen.getByText('The first 2 of 3 rows.');
});

test('it says how many sentences there are, also where the server left some out', () => {
  showFound({ ...ANSWER, sentences: { errors: 0, warnings: 0, changes: 2_314 } });
  expect(changesShown()).toHaveLength(1);
  screen.getByText('The first 200 of 2,314.');
});
