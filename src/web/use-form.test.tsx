// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { TextField } from '#src/ui/form/text-field.tsx';
import type { ApiResult } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';
import { show } from '#tests/support/shown-screen.tsx';

type Call = (values: { name: string }) => Promise<ApiResult<string>>;

function NameForm({ call, onSaved }: { call: Call; onSaved: (answer: string) => void }) {
  const form = useForm({ name: '' }, ({ name }) => (name === '' ? { name: ['Please enter a name.'] } : {}));
  return (
    <form
      noValidate
      onSubmit={async (event) => {
        event.preventDefault();
        const answer = await form.send(call);
        if (answer) onSaved(answer.data);
      }}
    >
      <TextField label="Name" {...form.field('name')} />
      <p role="alert">{form.errors['form' as 'name']}</p>
      <button type="submit">{form.isSending ? 'Saving...' : 'Save'}</button>
    </form>
  );
}

const refusal = (error: string, errors = {}): ApiResult<string> => ({
  ok: false,
  status: 422,
  error,
  errors,
  body: {},
  retryAfterSeconds: null,
});
const saved: ApiResult<string> = { ok: true, status: 200, data: 'saved' };

function showForm(call: Call) {
  const onSaved = vi.fn<(answer: string) => void>();
  return { onSaved, ...show(<NameForm call={call} onSaved={onSaved} />) };
}
const name = () => screen.getByRole('textbox', { name: 'Name' });
const save = () => screen.getByRole('button');

describe('a form', () => {
  test('that is invalid is not sent, and its message disappears as soon as the field is valid', async () => {
    const call = vi.fn<Call>();
    const { user } = showForm(call);
    await user.click(save());
    expect(screen.getByText('Please enter a name.')).toBeTruthy();
    expect(call).not.toHaveBeenCalled();
    await user.type(name(), 'A');
    expect(screen.queryByText('Please enter a name.')).toBeNull();
  });

  test('is sent once, however often its button is clicked', async () => {
    const waiting = Promise.withResolvers<ApiResult<string>>();
    const call = vi.fn<Call>(() => waiting.promise);
    const { user, onSaved } = showForm(call);
    await user.type(name(), 'Amy');
    await user.click(save());
    expect(save().textContent).toBe('Saving...');
    await user.click(save());
    waiting.resolve(saved);
    await waitFor(() => expect(onSaved).toHaveBeenCalledWith('saved'), { timeout: 10_000 });
    expect(call).toHaveBeenCalledTimes(1);
    expect(save().textContent).toBe('Save');
  });

  test('shows the server’s error at the field that it names', async () => {
    const { user, onSaved } = showForm(async () => refusal('Taken.', { 'gallery.name': ['This name is taken.'] }));
    await user.type(name(), 'Amy');
    await user.click(save());
    expect(await screen.findByText('This name is taken.')).toBeTruthy();
    expect(onSaved).not.toHaveBeenCalled();
  });

  test('shows an error that names no field as one message', async () => {
    const { user } = showForm(async () => refusal('You’re offline.'));
    await user.type(name(), 'Amy');
    await user.click(save());
    await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('You’re offline.'), { timeout: 10_000 });
  });
});
