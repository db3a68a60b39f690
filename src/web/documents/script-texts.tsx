/** What the router's `Scripts` renders on the server, as text: thirteen elements of a page (decision record 0175). */
import { renderToString } from 'react-dom/server';
import { Scripts, ServerRouter, type EntryContext } from 'react-router';

/** For the head and for the end of the body, in pieces between which the nonce belongs. */
export type ScriptTexts = { links: string[]; scripts: string[] };

const NONCE = '{nonce}';
/** They depend on no address. */
const NO_ADDRESS = 'http://unknown.invalid';
/** Of each build, by the innermost route of the page. */
const known = new WeakMap<EntryContext['manifest'], Map<string, ScriptTexts>>();

/** Pages of the same routes differ only in the nonce: the component is rendered once for them. @param manifest of the build */
export function scriptTexts(page: EntryContext, manifest: EntryContext['manifest']): ScriptTexts {
  const ofBuild = known.get(manifest) ?? new Map<string, ScriptTexts>();
  known.set(manifest, ofBuild);
  const innermost = page.staticHandlerContext.matches.at(-1)?.route.id ?? '';
  const texts = ofBuild.get(innermost) ?? rendered(page);
  ofBuild.set(innermost, texts);
  return texts;
}

function rendered(page: EntryContext): ScriptTexts {
  const routeModules = { ...page.routeModules, root: { default: Scripts } } as EntryContext['routeModules'];
  const { matches } = page.staticHandlerContext;
  // Otherwise a page that failed would show its failure here.
  const loaderData = Object.fromEntries(matches.map(({ route }) => [route.id, null]));
  const staticHandlerContext = { ...page.staticHandlerContext, loaderData, errors: null };
  const html = renderToString(
    <ServerRouter context={{ ...page, routeModules, staticHandlerContext }} url={NO_ADDRESS} nonce={NONCE} />,
  );
  const end = html.indexOf('<script');
  return { links: html.slice(0, end).split(NONCE), scripts: html.slice(end).split(NONCE) };
}
