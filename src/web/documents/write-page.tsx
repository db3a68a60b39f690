/** Writes a page from what its loaders returned. */
import { isbot } from 'isbot';
import type { Readable } from 'node:stream';
import { ServerRouter, type EntryContext } from 'react-router';
import type { PageContext } from '#src/web/app-context.ts';
import { rawLiteral, renderAtOnce, renderHtml } from '#src/web/documents/render-html.ts';
import { scriptTexts, type ScriptTexts } from '#src/web/documents/script-texts.tsx';
import { PageHeadProvider, SCRIPTS_PLACE } from '#src/web/page-head.tsx';

export const streamTimeout = 5_000;

type Page = Pick<PageContext, 'url' | 'nonce' | 'sheet' | 'report'>;

/** `data`: the text from which the browser's router continues. Rejects if the frame itself fails. */
export async function writePage(
  request: Request,
  context: EntryContext,
  data: string,
  { url, nonce, sheet, report }: Page,
): Promise<Buffer | Readable> {
  const pageOf = (routed: EntryContext, asText: boolean) => (
    <PageHeadProvider value={{ nonce, sheet, asText }}>
      <ServerRouter context={routed} url={url} nonce={nonce} />
    </PageHeadProvider>
  );
  const { serverHandoffStream: _, ...rest } = withRoutesOfThePage(context);
  const whole = renderAtOnce(pageOf(rest, true));
  if (whole !== null) return Buffer.from(completed(whole, scriptTexts(rest, context.manifest), data, nonce));
  return renderHtml(pageOf({ ...rest, serverHandoffStream: new Blob([data]).stream() }, false), {
    nonce,
    whole: isbot(request.headers.get('user-agent') ?? ''),
    deadlineMs: streamTimeout + 1_000,
    report: (error) => {
      if (!request.signal.aborted) report(error);
    },
  });
}

/** The router prepares what the manifest contains: for each page only that page's routes, not the whole site map. */
function withRoutesOfThePage(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext } = context;
  const routes = Object.fromEntries(staticHandlerContext.matches.map(({ route: { id } }) => [id, manifest.routes[id]]));
  return { ...context, manifest: { ...manifest, routes } };
}

const PLACE = `<link rel="${SCRIPTS_PLACE}"/>`;
const END = '</body></html>';

/** The page with its scripts, and its data at the end of its body, where `ServerRouter` writes them into a stream. */
function completed(html: string, { links, scripts }: ScriptTexts, data: string, nonce: string): string {
  const place = html.indexOf(PLACE);
  const stream = 'window.__reactRouterContext.streamController';
  const begin = `<!DOCTYPE html>${html.slice(0, place)}${links.join(nonce)}`;
  const rest = html.slice(place + PLACE.length, -END.length);
  const script = `<script nonce="${nonce}">${stream}.enqueue(${rawLiteral(data)});${stream}.close();</script>`;
  return `${begin}${rest}${scripts.join(nonce)}${script}${END}`;
}
