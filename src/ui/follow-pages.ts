/**
 * Gives the focus to the heading of a new page. The browser does it for documents; the router replaces only their content,
 * and with the clicked link the focus was lost: a screen reader said nothing, and the next Tab began above the navigation.
 * Returns the observer, which a test disconnects.
 */
export function followPages(): MutationObserver {
  const headingOf = () => document.querySelector<HTMLElement>('h1');
  let known = headingOf();
  const observer = new MutationObserver(() => {
    const heading = headingOf();
    if (heading === known) return;
    known = heading;
    // A field, a dialog or a step that took it keeps it.
    if (!heading || document.activeElement !== document.body) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  });
  observer.observe(document, { childList: true, subtree: true });
  return observer;
}
