/**
 * The first elements in the head of a page. The style sheet itself, so that the first paint does not wait for another
 * file (decision record 0036). And a short script that records clicks until the page's own scripts have loaded.
 */
import { createContext, useContext, useEffect } from 'react';
import { Scripts } from 'react-router';
import styles from '#src/web/styles.css?url';

type PageHead = {
  /** From this response's content policy. */
  nonce: string;
  /** The whole sheet; null if browsers fetch and cache it. */
  sheet: string | null;
  /** The server adds the scripts. */
  asText: boolean;
};

const PageHeadContext = createContext<PageHead | null>(null);
/** The server's part; the browser finds in the document what was sent. */
export const PageHeadProvider = PageHeadContext.Provider;

function usePageHead(): PageHead {
  const given = useContext(PageHeadContext);
  if (given || typeof document === 'undefined') return given ?? { nonce: '', sheet: null, asText: false };
  const style = document.querySelector<HTMLStyleElement>('style[data-sheet]');
  return { nonce: style?.nonce ?? '', sheet: style?.textContent ?? null, asText: false };
}

export function StyleSheet() {
  const { nonce, sheet } = usePageHead();
  return sheet === null ? (
    <link rel="stylesheet" href={styles} />
  ) : (
    <style nonce={nonce} data-sheet="" suppressHydrationWarning dangerouslySetInnerHTML={{ __html: sheet }} />
  );
}

/** A link that stands where the links of `Scripts` belong. */
export const SCRIPTS_PLACE = 'scripts-place';

/**
 * The router's `Scripts`, in the server's HTML only: in the browser they have run. In a page in one piece the server adds
 * them as text (decision record 0175).
 */
export function PageScripts() {
  const asText = useContext(PageHeadContext)?.asText ?? false;
  if (!import.meta.env.SSR) return null;
  return asText ? <link rel={SCRIPTS_PLACE} /> : <Scripts />;
}

declare global {
  interface Window {
    /** Buttons that were clicked before the scripts had loaded; undefined afterwards. */
    earlyPresses?: HTMLButtonElement[] | undefined;
  }
}

/** A second click undoes the first. `data-early` is the button's style meanwhile. */
const RECORDER = `{const q=window.earlyPresses=[];addEventListener('click',e=>{const b=window.earlyPresses&&e.target.closest?.('button[type=button]:enabled');if(!b)return;e.stopImmediatePropagation();b.toggleAttribute('data-early')?q.push(b):q.splice(q.indexOf(b),1)},true)}`;

/** Records clicks on buttons without a handler. Links and forms work without scripts. */
export function EarlyPresses() {
  const { nonce } = usePageHead();
  return <script nonce={nonce} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: RECORDER }} />;
}

/** Once the page is interactive: replays the recorded clicks. */
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
