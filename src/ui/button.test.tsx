// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { Button } from '#src/ui/button.tsx';
import { show } from '#tests/support/shown-screen.tsx';

test('a busy button keeps the focus, says that it is busy, and does nothing when it is clicked', async () => {
  const onSave = vi.fn<() => void>();
  function Form() {
    const [isSaving, setSaving] = useState(false);
    return (
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onSave();
          setSaving(true);
        }}
      >
        <Button type="submit" busy={isSaving && 'Saving...'}>
          Save
        </Button>
      </form>
    );
  }
  const { user } = show(<Form />);
  await user.click(screen.getByRole('button', { name: 'Save' }));
  const busy = screen.getByRole('button', { name: 'Saving...' });
  expect(document.activeElement).toBe(busy);
  expect(busy.getAttribute('aria-disabled')).toBe('true');
  await user.click(busy);
  await user.keyboard('{Enter}');
  expect(onSave).toHaveBeenCalledOnce();
});
