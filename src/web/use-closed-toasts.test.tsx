// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { expect, onTestFinished, test } from 'vitest';
import { showToast, toastStore } from '#src/ui/toast.ts';
import { useClosedToasts } from '#src/web/use-closed-toasts.ts';

test('a form closes the messages of the page before, and shows its own', async () => {
  onTestFinished(cleanup);
  function Form() {
    useClosedToasts();
    return <button onClick={() => showToast('Sent')}>Send</button>;
  }
  showToast('Added to the cart');
  render(<Form />);
  expect(toastStore.read()).toEqual([]);
  screen.getByRole('button', { name: 'Send' }).click();
  expect(toastStore.read()).toMatchObject([{ message: 'Sent' }]);
});
