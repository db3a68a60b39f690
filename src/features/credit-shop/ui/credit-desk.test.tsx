// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { CreditDesk } from '#src/features/credit-shop/ui/credit-desk.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test('each problem of what is offered is beside its amount, also below blank ones', async () => {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    const errors = { 'amounts.1.amount': ['Too much.'], 'amounts.1.bonus': ['A bonus too much.'] };
    return Response.json({ error: 'Too much.', errors }, { status: 422 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const settings = { active: true, amounts: [{ amount: 10, bonus: 0 }], bonus_until: null };
  const first = { settings, codes: [], next: null };
  const { user } = show(
    <CreditDesk
      organizationId={3}
      path="hawks"
      first={first}
      today="2026-11-30"
      timeZone="America/New_York"
      mayPayOut={false}
    />,
  );
  const field = (name: string) => screen.getByRole('textbox', { name: new RegExp(`^${name}`) });
  await user.type(field('Amount 3'), '500');
  await user.type(field('Bonus on amount 3'), '600');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(sent).toEqual([
    {
      credit: {
        active: true,
        amounts: [
          { amount: 10, bonus: 0 },
          { amount: 500, bonus: 600 },
        ],
        bonus_until: null,
      },
    },
  ]);
  const wrong = screen.getAllByRole('textbox').filter((each) => each.getAttribute('aria-invalid') === 'true');
  expect(wrong).toEqual([field('Amount 3'), field('Bonus on amount 3')]);
});
