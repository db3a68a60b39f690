// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import { FamilyMenu } from '#src/features/family-page/ui/family-menu.tsx';

const MAYA = { id: 4, label: 'Maya R.', team: null, number: '10' };

test.each([
  ['whose photos everybody can see', 'yes', false, ['Hide photos of Maya']],
  ['that hid its photos', 'family', true, ['Show photos of Maya again']],
  [
    'that was never asked, whose photos are hidden meanwhile',
    'unknown',
    true,
    ['Show photos of Maya to everybody', 'Hide photos of Maya'],
  ],
  ['that was never asked, whose photos are shown meanwhile', 'unknown', false, ['Hide photos of Maya']],
  ['that said no', 'no', true, ['Show photos of Maya again']],
] as const)('a family %s has its choice', async (_name, consent, hidden, choice) => {
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => <FamilyMenu child={{ ...MAYA, consent, hidden }} affiliate="hawks" hasSiblings={false} />,
    },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Menu' }));
  const buttons = screen.getAllByRole('button').map((button) => button.textContent ?? '');
  expect(buttons.filter((words) => words.includes('photos of Maya'))).toEqual(choice);
  // What this browser forgets does not look like what the club forgets.
  expect(buttons.filter((words) => words.startsWith('Forget'))).toEqual([
    'Forget Maya on this device',
    'Forget us: delete our email addresses',
  ]);
  // After “no” there are no new photos to tell about.
  expect(buttons.includes('Tell me about new photos')).toBe(consent !== 'no');
});

test('a family with several children open forgets this one, or all of them, on the device', async () => {
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => <FamilyMenu child={{ ...MAYA, consent: 'yes', hidden: false }} affiliate="hawks" hasSiblings />,
    },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  await userEvent.setup().click(await screen.findByRole('button', { name: 'Menu' }));
  for (const name of ['Forget Maya on this device', 'Forget all children on this device'])
    expect(screen.getByRole('button', { name })).toBeTruthy();
});

test.each([
  [true, 'Forget Maya on this device', 'DELETE /api/v1/family/4'],
  [true, 'Forget all children on this device', 'DELETE /api/v1/family'],
  [false, 'Forget Maya on this device', 'DELETE /api/v1/family'],
])('with siblings open: %s, “%s” asks before anything is forgotten', async (hasSiblings, name, call) => {
  const sent: string[] = [];
  vi.stubGlobal('fetch', async (address: string, { method }: { method: string }) => {
    sent.push(`${method} ${address}`);
    return new Response(null, { status: 204 });
  });
  onTestFinished(() => void vi.unstubAllGlobals());
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => (
        <FamilyMenu child={{ ...MAYA, consent: 'yes', hidden: false }} affiliate="hawks" hasSiblings={hasSiblings} />
      ),
    },
    { path: '/hawks/family', Component: () => <h1>Photos of your child</h1> },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole('button', { name: 'Menu' }));
  await user.click(screen.getByRole('button', { name }));
  const question = within(screen.getByRole('alertdialog', { name }));
  question.getByText(/The code on (the|each) card opens them again\.$/);
  expect(sent).toEqual([]);
  await user.click(question.getByRole('button', { name: 'Forget' }));
  await screen.findByRole('heading', { name: 'Photos of your child' });
  expect(sent).toEqual([call]);
});

test('a question does not show the problem of another one that was canceled', async () => {
  const error = 'Something went wrong. Please try again.';
  vi.stubGlobal('fetch', async () => Response.json({ error }, { status: 500 }));
  onTestFinished(() => void vi.unstubAllGlobals());
  const Page = createRoutesStub([
    {
      path: '/',
      Component: () => (
        <FamilyMenu child={{ ...MAYA, consent: 'yes', hidden: false }} affiliate="hawks" hasSiblings={false} />
      ),
    },
  ]);
  onTestFinished(cleanup);
  render(<Page />);
  const user = userEvent.setup();
  const ask = async (action: string) => {
    await user.click(await screen.findByRole('button', { name: 'Menu' }));
    await user.click(screen.getByRole('button', { name: action }));
    return within(screen.getByRole('alertdialog'));
  };
  const forget = await ask('Forget Maya on this device');
  await user.click(forget.getByRole('button', { name: 'Forget' }));
  await forget.findByRole('alert');
  await user.click(forget.getByRole('button', { name: 'Cancel' }));
  const hide = await ask('Hide photos of Maya');
  expect(hide.queryByRole('alert')).toBeNull();
});
