// @vitest-environment happy-dom
import { cleanup, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { createRoutesStub } from 'react-router';
import { expect, onTestFinished, test, vi } from 'vitest';
import ErasuresPage from '#src/features/erasures/erasures.page.tsx';

const asked = (email: string) => ({
  email,
  name: email.split('@')[0] ?? '',
  askedAt: new Date(),
  dueAt: new Date(),
  isDue: true,
  administers: [],
});
const requests = ['ann@people.test', 'bob@people.test'].map(asked);
const props = { loaderData: { requests } } as unknown as Parameters<typeof ErasuresPage>[0];

test('of two people who are chosen quickly the first is shown, in the form and in the report', async () => {
  const answers: ((answer: Response) => void)[] = [];
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => answers.push(resolve)));
  const Page = createRoutesStub([{ path: '/', Component: () => <ErasuresPage {...props} /> }]);
  onTestFinished(() => {
    cleanup();
    vi.unstubAllGlobals();
  });
  const user = userEvent.setup();
  render(<Page />);
  await user.click(await screen.findByRole('button', { name: 'Erase ann@people.test' }));
  await user.click(screen.getByRole('button', { name: 'Erase bob@people.test' }));
  expect(answers).toHaveLength(1);
  answers[0]?.(
    Response.json({ dry_run: true, goes: [{ what: 'Account', rows: 1 }], stays: [], notes: [], blocked: [] }),
  );
  await waitFor(() => screen.getByRole('heading', { name: 'Will be erased' }));
  expect(screen.getByLabelText<HTMLInputElement>(/Email address/).value).toBe('ann@people.test');
  expect(screen.getAllByText('ann@people.test', { selector: 'p' })).toHaveLength(1);
});
