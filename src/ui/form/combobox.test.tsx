// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { Combobox, type ComboboxOption, type Found } from '#src/ui/form/combobox.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const CLUBS = [
  { id: 3, label: 'Hawks Soccer Club', detail: 'Lakeside' },
  { id: 4, label: 'Harbor Rowing', detail: null },
];
const among = async (words: string): Promise<Found<ComboboxOption>> => ({
  options: CLUBS.filter(({ label }) => label.toLowerCase().includes(words.toLowerCase())),
});

function Choice({ search = among, noneLabel }: { search?: typeof among; noneLabel?: string }) {
  const [club, setClub] = useState<ComboboxOption | null>(null);
  return (
    <>
      <Combobox label="Club" value={club} onChange={setClub} search={search} {...(noneLabel && { noneLabel })} />
      <p data-testid="chosen">{club?.label ?? 'none'}</p>
    </>
  );
}

const field = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Club' });
const chosen = () => screen.getByTestId('chosen').textContent;

describe('a field that searches a long list', () => {
  test('offers what matches the typed text and selects what is clicked', async () => {
    const { user } = show(<Choice />);
    await user.type(field(), 'haw');
    await user.click(await screen.findByRole('option', { name: /Hawks Soccer Club/ }));
    expect([chosen(), field().value]).toEqual(['Hawks Soccer Club', 'Hawks Soccer Club']);
    expect(screen.queryByRole('listbox')).toBeNull();
  });

  test('works by keyboard alone', async () => {
    const { user } = show(<Choice />);
    await user.click(field());
    await screen.findAllByRole('option');
    await user.keyboard('{ArrowDown}{Enter}');
    expect(chosen()).toBe('Harbor Rowing');
  });

  test('restores the previous choice when Escape is pressed', async () => {
    const { user } = show(<Choice />);
    await user.type(field(), 'harbor');
    await user.click(await screen.findByRole('option'));
    await user.type(field(), 'haw');
    await user.keyboard('{Escape}');
    expect([chosen(), field().value]).toEqual(['Harbor Rowing', 'Harbor Rowing']);
  });

  test('says that nothing was found, and why a search failed', async () => {
    const search = vi.fn(among);
    const { user } = show(<Choice search={search} />);
    await user.type(field(), 'zebra');
    expect(await screen.findByText('Nothing found.')).toBeTruthy();
    search.mockResolvedValue({ problem: 'You’re offline.' });
    await user.type(field(), 's');
    expect(await screen.findByText('You’re offline.')).toBeTruthy();
  });

  test('searches once for words that are typed quickly', async () => {
    const search = vi.fn(among);
    const { user } = show(<Choice search={search} />);
    await user.type(field(), 'hawks');
    await screen.findByRole('option');
    expect(search.mock.calls.map(([words]) => words).filter((words) => words !== '')).toEqual(['hawks']);
  });

  test('can be cleared if the choice is optional', async () => {
    const { user } = show(<Choice noneLabel="All clubs" />);
    await user.type(field(), 'harbor');
    await user.click(await screen.findByRole('option', { name: /Harbor/ }));
    await user.click(screen.getByRole('button', { name: 'All clubs: forget Harbor Rowing' }));
    expect(chosen()).toBe('none');
  });
});
