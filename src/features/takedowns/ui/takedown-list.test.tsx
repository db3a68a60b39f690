// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import type { Decision, TakedownAnswer } from '#src/features/takedowns/takedowns.contract.ts';
import { TakedownCard } from '#src/features/takedowns/ui/takedown-list.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const OPEN: TakedownAnswer = {
  id: 5,
  state: 'open',
  organization_id: 3,
  gallery: { id: 7, name: 'Cup Final', affiliate: 'hawks-soccer' },
  photo: {
    id: 11,
    name: 'IMG_11.jpg',
    image_url: '/picture?v=1',
    width: 1200,
    height: 800,
    show_in_gallery: false,
    removed: false,
    sales_count: 0,
  },
  reason: 'My child is in it.',
  contact: 'ruth@families.test',
  guardian: true,
  hidden_first: true,
  asked_at: '2026-11-20T12:00:00Z',
  decided_at: null,
  decided_by: null,
  note: '',
};

function showRequest(changes: Partial<TakedownAnswer> = {}, photo: Partial<TakedownAnswer['photo']> = {}) {
  const onDecide = vi.fn<(decision: Decision) => void>();
  const takedown = { ...OPEN, ...changes, photo: { ...OPEN.photo, ...photo } };
  const shown = show(
    <TakedownCard takedown={takedown} timeZone="America/Chicago" namesAffiliate={false} onDecide={onDecide} />,
  );
  return { onDecide, words: screen.getByRole('article').textContent ?? '', ...shown };
}
const answers = () => screen.queryAllByRole('button').map((button) => button.textContent);

describe('a request to hide a photo', () => {
  test('that is open shows who asks, why and whether the photo is shown, and has three answers', async () => {
    const { user, words, onDecide } = showRequest();
    for (const said of ['Hidden until you decide', 'Parent, guardian', 'My child is in it.', 'ruth@families.test'])
      expect(words).toContain(said);
    expect(answers()).toEqual(['Hide', 'Keep', 'Delete']);
    await user.click(screen.getByRole('button', { name: 'Keep' }));
    expect(onDecide).toHaveBeenCalledWith('keep');
  });

  test('of a photo that is shown says so', () => {
    expect(showRequest({}, { show_in_gallery: true }).words).toContain('Still shown');
  });

  test('about a removed photo can only be answered by deleting', () => {
    const { words } = showRequest({}, { removed: true, image_url: null });
    expect(words).toContain('Removed since then');
    expect(answers()).toEqual(['Delete']);
  });

  test.each([
    ['hidden', 'Hidden'],
    ['kept', 'Kept'],
    ['deleted', 'Deleted'],
  ] as const)('that was decided as %s says by whom, and has no answers', (state, badge) => {
    const { words } = showRequest({
      state,
      decided_at: '2026-11-21T12:00:00Z',
      decided_by: 'Coach Ann',
      note: 'Done.',
    });
    for (const said of [badge, 'by Coach Ann', 'Done.']) expect(words).toContain(said);
    expect(answers()).toEqual([]);
  });

  test('that is old no longer names who asked', () => {
    const { words } = showRequest({ reason: null, contact: null });
    expect(words).toContain('The reason was removed after 90 days.');
    expect(words).toContain('address removed');
  });

  test.each([
    [1, 'Once'],
    [3, '3 times'],
  ])('of a photo that was sold %s time(s) says that buyers keep their copies', (count, said) => {
    expect(showRequest({}, { sales_count: count }).words).toContain(`${said}. Buyers keep their copies.`);
  });
});
