// @vitest-environment happy-dom
/** "Talk to an expert": every message and state of the form (specification P§2.4, 5, 8). */
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { EXPERT_FIELDS, EXPERT_THANKS, SUBMITTING } from '#src/features/marketing/talk-to-expert.contract.ts';
import { ExpertForm } from '#src/features/marketing/ui/expert-form.tsx';
import { INVALID_EMAIL, REQUIRED } from '#src/shared/validators.ts';
import { show } from '#tests/support/shown-screen.tsx';

const ASKED = {
  first_name: 'Noor',
  last_name: 'Haddad',
  email: 'noor@league.test',
  phone_number: '(555) 010-4477',
  company_name: 'Valley League',
  question: 'Can forty clubs share one account?',
};
type Name = keyof typeof ASKED;
const NAMES = Object.keys(ASKED) as Name[];
const FAILED = 'There has been an error, please email hello@sideline.test';

afterEach(() => void vi.unstubAllGlobals());

const field = (name: Name) =>
  screen.getByRole<HTMLInputElement>('textbox', { name: new RegExp(`^${EXPERT_FIELDS[name].label}`) });
const fill = (change: Partial<typeof ASKED> = {}) => {
  for (const name of NAMES) fireEvent.input(field(name), { target: { value: { ...ASKED, ...change }[name] } });
};
const showForm = () => show(<ExpertForm email="hello@sideline.test" sent={null} wasSent={false} />);
const submit = (user: ReturnType<typeof show>['user']) => user.click(screen.getByRole('button', { name: 'Submit' }));

test('all six fields are required, with a message under each, until they are filled in', async () => {
  const { user } = showForm();
  await submit(user);
  expect(screen.getAllByText(REQUIRED)).toHaveLength(6);
  for (const name of NAMES) expect(field(name).getAttribute('aria-invalid'), name).toBe('true');
  expect(document.activeElement).toBe(field('first_name'));
  fill({ email: 'noor@league' });
  await submit(user);
  expect(screen.getAllByText(INVALID_EMAIL)).toHaveLength(1);
  expect(screen.queryByText(REQUIRED)).toBeNull();
});

test('it reads “Submitting” while it is sent, once however often it is submitted, then thanks and is empty', async () => {
  const answer = Promise.withResolvers<Response>();
  const call = vi.fn<typeof fetch>(() => answer.promise);
  vi.stubGlobal('fetch', call);
  const { user } = showForm();
  fill();
  await submit(user);
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: SUBMITTING });
  expect(busy.disabled || busy.getAttribute('aria-disabled') === 'true').toBe(true);
  const form = field('company_name').closest('form');
  if (form) fireEvent.submit(form);
  answer.resolve(Response.json({ message: 'Thanks.' }));
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(EXPERT_THANKS));
  expect(call).toHaveBeenCalledOnce();
  expect(JSON.parse(String(call.mock.calls[0]?.[1]?.body))).toEqual({ user: ASKED });
  expect(field('question').value).toBe('');
  await screen.findByRole('button', { name: 'Submit' });
});

describe('the contact address is named, and what was typed stays, when', () => {
  const refused = (status: number, headers: HeadersInit = {}) =>
    Promise.resolve(Response.json({ error: 'no', errors: {} }, { status, headers }));

  test.each<[string, () => Promise<Response>]>([
    ['the server fails', () => refused(500)],
    ['there were too many', () => refused(429, { 'retry-after': '60' })],
    ['the connection is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  ])('%s', async (_what, respond) => {
    vi.stubGlobal('fetch', respond);
    const { user } = showForm();
    fill();
    await submit(user);
    await waitFor(() => expect(screen.getByRole('status').textContent).toBe(FAILED));
    for (const name of NAMES) expect(field(name).value).toBe(ASKED[name]);
  });

  test('the server finds a problem, which is shown under its field', async () => {
    const errors = { 'user.first_name': ['One line, please.'] };
    vi.stubGlobal('fetch', async () => Response.json({ error: 'One line, please.', errors }, { status: 422 }));
    const { user } = showForm();
    fill();
    await submit(user);
    await screen.findByText('One line, please.');
    expect(screen.getByRole('status').textContent).toBe(FAILED);
    expect(NAMES.filter((name) => field(name).getAttribute('aria-invalid') === 'true')).toEqual(['first_name']);
  });
});
