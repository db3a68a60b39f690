/** Keys of the tagging desk: the field gets them wherever the focus is, except in a dialog and on a button. */
import { useEffect, useEffectEvent, useSyncExternalStore, type RefObject } from 'react';
import { actionOf, type KeyPress } from '#src/features/tagging-desk/command.rules.ts';
import type { DeskSession } from '#src/features/tagging-desk/desk-session.client.ts';

/** A key of the number pad as a keyboard event. */
const padKey = (key: string): KeyPress => ({
  key,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  isComposing: false,
});

/** Does what a key does besides typing. @returns whether it did anything */
function act(session: DeskSession, press: KeyPress): boolean {
  const { text, asked } = session.state();
  const action = actionOf(press, text, asked);
  if (action !== null) session.act(action);
  return action !== null;
}

/** A key of the number pad. */
export function pressPad(session: DeskSession, key: string): void {
  const { text } = session.state();
  if (key === 'Backspace') session.type(text.slice(0, -1));
  else if (!act(session, padKey(key))) session.type(text + key);
}

/** Text from an on-screen keyboard: some send only text and no keys. */
export function typed(session: DeskSession, text: string): void {
  const before = session.state().text;
  const added = text.startsWith(before) ? text.slice(before.length) : '';
  if (added.length !== 1 || !act(session, padKey(added))) session.type(text);
}

/** Listens to the keys of the page, and keeps the focus in the field. */
export function useDeskKeys(field: RefObject<HTMLInputElement | null>, session: DeskSession): void {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    const target = event.target instanceof HTMLElement ? event.target : null;
    if (event.defaultPrevented || target?.closest('dialog')) return;
    const isField = target === field.current;
    if (!isField) {
      if (target?.closest('input, textarea, select')) return;
      const isPressed = (event.key === 'Enter' || event.key === ' ') && target?.closest('button, a') !== null;
      if (isPressed || event.key === 'Tab' || event.key === 'Shift') return;
      // Text that is typed elsewhere is meant for the field.
      if (!event.ctrlKey && !event.metaKey && !event.altKey) field.current?.focus();
    }
    if (act(session, event)) event.preventDefault();
  });
  useEffect(() => {
    field.current?.focus();
    const listener = (event: KeyboardEvent) => onKey(event);
    document.addEventListener('keydown', listener);
    return () => document.removeEventListener('keydown', listener);
  }, [field]);
}

const COARSE = '(pointer: coarse)';

/** Whether the device has a touch screen as its main input. */
export function useHasPad(): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = window.matchMedia(COARSE);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => window.matchMedia(COARSE).matches,
    () => false,
  );
}
