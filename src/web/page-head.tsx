/**
 * What is first in the head of a page: the style sheet itself, so that the first text need not wait for another file
 * (decision record 0036), and a script of a few lines that keeps presses until the page's own scripts stand.
 */
import { createContext, useContext, useEffect } from 'react';
import styles from '#src/web/styles.css?url';

type PageHead = {
  /** Of this answer's content policy. */
  nonce: string;
  /** The whole sheet; null where browsers fetch it, and keep it. */
  sheet: string | null;
};

const PageHeadContext = createContext<PageHead | null>(null);
/** The server's side of it; the browser finds in the document what came. */
export const PageHeadProvider = PageHeadContext.Provider;

function usePageHead(): PageHead {
  const given = useContext(PageHeadContext);
  if (given || typeof document === 'undefined') return given ?? { nonce: '', sheet: null };
  const style = document.querySelector<HTMLStyleElement>('style[data-sheet]');
  return { nonce: style?.nonce ?? '', sheet: style?.textContent ?? null };
}

export function StyleSheet() {
  const { nonce, sheet } = usePageHead();
  return sheet === null ? (
    <link rel="stylesheet" href={styles} />
  ) : (
    <style nonce={nonce} data-sheet="" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet }} />
  );
}

declare global {
  interface Window {
    /** Buttons that were pressed before the scripts stood; undefined from then on. */
    earlyPresses?: HTMLButtonElement[] | undefined;
  }
}

/** A second press takes the first one back. `data-early` is what the button looks like meanwhile. */
const RECORDER = `(function(){var q=window.earlyPresses=[];addEventListener('click',function(e){if(!window.earlyPresses)return;var b=e.target.closest&&e.target.closest('button[type=button]');if(!b||b.disabled)return;e.stopImmediatePropagation();var i=q.indexOf(b);if(i<0){q.push(b);b.setAttribute('data-early','')}else{q.splice(i,1);b.removeAttribute('data-early')}},true)})()`;

/** Keeps presses on buttons that no one listens to yet. Links and forms work by themselves. */
export function EarlyPresses() {
  const { nonce } = usePageHead();
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: RECORDER }} />;
}

/** Once the page listens: presses what was pressed. */
export function useEarlyPresses(): void {
  useEffect(() => {
    const pressed = window.earlyPresses ?? [];
    window.earlyPresses = undefined;
    for (const button of pressed) {
      button.removeAttribute('data-early');
      if (button.isConnected) button.click();
    }
  }, []);
}
