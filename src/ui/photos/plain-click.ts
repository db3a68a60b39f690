import type { MouseEvent } from 'react';

/** Whether a click on a link is the page's: others open a tab or a window, or save the file, as the browser does. */
export function isPlainClick({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent): boolean {
  return button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;
}
