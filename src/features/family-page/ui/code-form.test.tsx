// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { CODE_REQUIRED } from '#src/features/families/families.contract.ts';
import { CODE_LABEL, OPEN_LABEL } from '#src/features/family-page/family-page.contract.ts';
import { CodeForm } from '#src/features/family-page/ui/code-form.tsx';
import { show } from '#tests/support/shown-screen.tsx';

afterEach(() => void vi.unstubAllGlobals());

/** The form, and the bodies of its calls, which open a child. */
function showForm() {
  const sent: unknown[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return Response.json({ child: { id: 4 } });
  });
  return { sent, ...show(<CodeForm affiliate="hawks" problem={null} />) };
}
const open = () => screen.getByRole('button', { name: OPEN_LABEL });

test('a code is required before anything is sent', async () => {
  const { user, sent } = showForm();
  await user.click(open());
  await screen.findByText(CODE_REQUIRED);
  expect(sent).toEqual([]);
});

test('a wrong code leads back to its field', async () => {
  const { user } = showForm();
  const error = 'We do not know this code.';
  vi.stubGlobal('fetch', async () => Response.json({ error, errors: {} }, { status: 422 }));
  await user.type(screen.getByLabelText(CODE_LABEL), 'k7m3p9qx2t');
  await user.click(open());
  await screen.findByText(error);
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText(CODE_LABEL)));
});

test('a code gets its capitals and its hyphen', async () => {
  const { user, sent } = showForm();
  await user.type(screen.getByLabelText(CODE_LABEL), 'k7m3p9qx2t');
  await user.click(open());
  await waitFor(() => expect(sent).toEqual([{ code: 'K7M3P-9QX2T' }]));
});

test('the whole address of a card may be pasted', async () => {
  const { user, sent } = showForm();
  const address = 'https://lakeside.sideline.test/hawks/family#s0MeKey-4';
  await user.click(screen.getByLabelText(CODE_LABEL));
  await user.paste(address);
  await user.click(open());
  await waitFor(() => expect(sent).toEqual([{ code: address }]));
});
