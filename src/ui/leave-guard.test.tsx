// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, test, vi } from 'vitest';
import { StickySaveBar } from '#src/ui/leave-guard.tsx';
import { show } from '#tests/support/shown-screen.tsx';

function Form() {
  const [changed, setChanged] = useState(false);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        setChanged(false);
      }}
    >
      <input aria-label="Name" onChange={() => setChanged(true)} />
      <StickySaveBar changed={changed} onDiscard={() => setChanged(false)} />
    </form>
  );
}

test.each([
  ['Save', true],
  ['Discard', true],
  ['Save', false],
])(
  'after %s the changed field has the focus again with a mouse (%s), not where that opens a keyboard',
  async (name, hasMouse) => {
    vi.stubGlobal('matchMedia', () => ({ matches: hasMouse }));
    const { user } = show(<Form />);
    const field = screen.getByRole('textbox', { name: 'Name' });
    await user.type(field, 'A');
    await user.click(screen.getByRole('button', { name }));
    expect(screen.queryByRole('button', { name })).toBeNull();
    expect(document.activeElement === field).toBe(hasMouse);
    vi.unstubAllGlobals();
  },
);
