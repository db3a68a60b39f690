// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import { createRef } from 'react';
import { expect, test, vi } from 'vitest';
import { CodeField, type CodeHandle } from '#src/features/cart/ui/code-field.tsx';
import { show } from '#tests/support/shown-screen.tsx';

const NO_NOTE = () => '';

test('the code field opens on request, and Enter adds a code to the others', async () => {
  const onChange = vi.fn<(codes: string[]) => void>();
  const { user } = show(<CodeField isFolded codes={[]} noteOf={NO_NOTE} onChange={onChange} />);
  await user.click(screen.getByRole('button', { name: 'Have a code?' }));
  await user.keyboard(' hawks20 {Enter}');
  expect(onChange).toHaveBeenCalledWith(['hawks20']);
});

test('a refused code says why, and each code can be removed', async () => {
  const onChange = vi.fn<(codes: string[]) => void>();
  const { user } = show(
    <CodeField
      codes={['HAWKS20', 'CREDIT']}
      errors={['This code has been used up.']}
      noteOf={(code) => (code === 'HAWKS20' ? 'is not used.' : '')}
      onChange={onChange}
    />,
  );
  expect(screen.getByRole('status').textContent).toContain('This code has been used up.');
  expect(screen.getByRole('status').textContent).toContain('HAWKS20 is not used.');
  expect(screen.getByRole('status').textContent).not.toContain('CREDIT is');
  await user.click(screen.getByRole('button', { name: 'Remove code HAWKS20' }));
  expect(onChange).toHaveBeenCalledWith(['CREDIT']);
  expect(document.activeElement).toBe(screen.getByLabelText('Have a code?'));
});

test('the next code replaces one that no one knows, and leaves the others', async () => {
  const onChange = vi.fn<(codes: string[]) => void>();
  const { user } = show(
    <CodeField
      codes={['HAWKS02', 'CREDIT']}
      noteOf={NO_NOTE}
      isWrong={(code) => code === 'HAWKS02'}
      onChange={onChange}
    />,
  );
  await user.type(screen.getByLabelText('Have a code?'), 'HAWKS20{Enter}');
  expect(onChange).toHaveBeenCalledWith(['CREDIT', 'HAWKS20']);
});

test('a code that was typed and not used yet is used on demand, once', async () => {
  const onChange = vi.fn<(codes: string[]) => void>();
  const handle = createRef<CodeHandle>();
  const { user } = show(<CodeField ref={handle} codes={['CREDIT']} noteOf={NO_NOTE} onChange={onChange} />);
  const takeTyped = () => {
    let isTaken: boolean | undefined;
    act(() => void (isTaken = handle.current?.takeTyped()));
    return isTaken;
  };
  expect(takeTyped()).toBe(false);
  await user.type(screen.getByLabelText('Have a code?'), ' hawks20 ');
  expect(takeTyped()).toBe(true);
  expect(onChange).toHaveBeenCalledWith(['CREDIT', 'hawks20']);
  // Beside the field, where it covers no price, and once.
  expect(screen.getAllByText('You also typed a code. Please check the total and press again.')).toHaveLength(1);
  expect(takeTyped()).toBe(false);
  expect(screen.queryByText(/^You also typed/)).toBeNull();
  await user.type(screen.getByLabelText('Have a code?'), 'CREDIT');
  expect(takeTyped()).toBe(false);
});

test('a code too many keeps the order back and says so, until one is removed or the field is cleared', async () => {
  const onChange = vi.fn<(codes: string[]) => void>();
  const handle = createRef<CodeHandle>();
  const five = ['A1', 'B2', 'C3', 'D4', 'E5'];
  const { user } = show(<CodeField ref={handle} codes={five} noteOf={NO_NOTE} onChange={onChange} />);
  const field = screen.getByLabelText('Have a code?');
  const problem = 'At most 5 codes, please. Remove one, or clear this field.';
  await user.type(field, 'HAWKS20{Enter}');
  screen.getByText(problem);
  expect(field.getAttribute('aria-invalid')).toBe('true');
  act(() => expect(handle.current?.takeTyped()).toBe(true));
  expect([onChange.mock.calls, (field as HTMLInputElement).value]).toEqual([[], 'HAWKS20']);
  await user.clear(field);
  expect(screen.queryByText(problem)).toBeNull();
  act(() => expect(handle.current?.takeTyped()).toBe(false));
});
