import { lazy, Suspense, type ReactNode } from 'react';
import {
  Links,
  Meta,
  Outlet,
  ScrollRestoration,
  useLocation,
  useMatches,
  isRouteErrorResponse,
  useRouteError,
  useRouteLoaderData,
} from 'react-router';
import displayFont from '@fontsource-variable/bricolage-grotesque/files/bricolage-grotesque-latin-wght-normal.woff2?url';
import textFont from '@fontsource-variable/hanken-grotesk/files/hanken-grotesk-latin-wght-normal.woff2?url';
import { useAuthState } from '#src/features/accounts/auth-state.client.ts';
import { UploadTraySlot } from '#src/features/uploads/ui/upload-tray-slot.tsx';
import { Toaster } from '#src/ui/toaster.tsx';
import { accentStyle } from '#src/web/frame/accent-style.ts';
import { useAffiliate } from '#src/web/use-affiliate.ts';
import { Brand } from '#src/web/frame/brand.tsx';
import { titleOfError } from '#src/web/frame/error-titles.ts';
import icon from '#src/web/icon.svg?url';
import { Frame } from '#src/web/frame/layouts.tsx';
import { LateErrorScreen } from '#src/web/frame/late-error-screen.tsx';
import { EarlyPresses, PageScripts, StyleSheet, useEarlyPresses } from '#src/web/page-head.tsx';
import { openRequest } from '#src/web/page-request.ts';
import type { Refusal } from '#src/web/refusals.ts';
import { mayBeFound } from '#src/web/robots.ts';
import { layoutOf, type LayoutName } from '#src/web/route-handle.ts';
import { loadShell, type Shell } from '#src/web/frame/shell.ts';
import { usePreloadedParts } from '#src/web/use-preloaded-parts.ts';
import { unlessWithinGallery } from '#src/web/within-gallery.ts';
import type { Route } from './+types/root.ts';

/** Few people see it: no one else loads it. */
const ProofBar = lazy(async () => ({
  default: (await import('#src/features/accounts/ui/proof-bar.tsx')).ProofBar,
}));

const SessionKeeper = lazy(async () => ({
  default: (await import('#src/features/accounts/ui/session-keeper.tsx')).SessionKeeper,
}));

export const links: Route.LinksFunction = () => [{ rel: 'icon', href: icon, type: 'image/svg+xml' }];

export const meta: Route.MetaFunction = ({ loaderData, error }) => [
  { title: error === undefined ? siteName(loaderData ?? null) : titleOfError(error) },
];

export const middleware: Route.MiddlewareFunction[] = [openRequest];

export function loader({ context }: Route.LoaderArgs): Promise<Shell> {
  return loadShell(context);
}

export const shouldRevalidate = unlessWithinGallery;

/** The html shell, also around error screens; there the shell's data may be missing. */
export function Layout({ children }: { children: ReactNode }) {
  const shell = useShell();
  const affiliate = useAffiliate();
  const accent = (affiliate ?? shell)?.accent;
  const { pathname, search } = useLocation();
  return (
    <html lang="en" className={accent && 'accented'} style={accent && accentStyle(accent)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf7" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14161a" />
        {/* Otherwise Chromium stops behind the long sheet, and paints a page without a word first (decision record 0179). */}
        <link rel="expect" href="#main" blocking="render" />
        <StyleSheet />
        <EarlyPresses />
        <Meta />
        {!mayBeFound(pathname) && <meta name="robots" content="noindex, nofollow" />}
        {/* Browsers delay the first paint for them: on an affiliate's pages the text comes first (decision record 0058). */}
        {affiliate === null &&
          [textFont, displayFont].map((font) => (
            <link key={font} rel="preload" href={font} as="font" type="font/woff2" crossOrigin="anonymous" />
          ))}
        {/* Sheets and fonts come from our own site and need no nonce, which browsers would hide from React. */}
        <Links nonce="" />
      </head>
      <body className={pathname === '/' ? 'home-page' : undefined}>
        <a
          href="#main"
          className="sr-only rounded bg-ink px-4 py-3 text-paper focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50"
        >
          Skip to the page
        </a>
        {children}
        <Toaster />
        {/* A framed page may have no storage for its scroll position. */}
        {!new URLSearchParams(search).has('publicView') && <ScrollRestoration />}
        <PageScripts />
      </body>
    </html>
  );
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useAuthState(loaderData.viewer);
  useEarlyPresses();
  usePreloadedParts();
  return (
    <Framed shell={loaderData} layout={layoutOf(useMatches(), useLocation().search)}>
      <Outlet />
    </Framed>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  const shell = useShell();
  const screen = <LateErrorScreen error={error} />;
  return shell ? (
    <Framed shell={shell} layout="home">
      {screen}
    </Framed>
  ) : (
    <Unframed>{screen}</Unframed>
  );
}

/** From the loader; or what an earlier refusal brought. */
function useShell(): Shell | null {
  const loaded = useRouteLoaderData<Shell>('root');
  const error = useRouteError();
  return loaded ?? (isRouteErrorResponse(error) ? ((error.data as Partial<Refusal> | null)?.shell ?? null) : null);
}

/** A failure before anything was known about the host: no links except home. */
function Unframed({ children }: { children: ReactNode }) {
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="border-b border-line bg-surface">
        <div className="mx-auto flex max-w-content px-5 py-2">
          <Brand to="/" name="Sideline" logoUrl={null} />
        </div>
      </header>
      <div className="flex-1">{children}</div>
    </div>
  );
}

function Framed({ shell, layout, children }: { shell: Shell; layout: LayoutName; children: ReactNode }) {
  const affiliate = useAffiliate();
  const named = affiliate && {
    name: affiliate.organization.name,
    logoUrl: affiliate.organization.logo_url,
    nav: affiliate.nav,
  };
  const { viewer } = shell;
  const above = layout === 'working' && viewer !== null && !viewer.email_proven && (
    <Suspense>
      <ProofBar email={viewer.email} />
    </Suspense>
  );
  return (
    <>
      <Frame layout={layout} shell={shell} affiliate={named} above={above}>
        {children}
      </Frame>
      {viewer !== null && (
        <Suspense>
          <SessionKeeper key={viewer.id} viewer={viewer} />
        </Suspense>
      )}
      <UploadTraySlot wanted={layout === 'working' && shell.viewer !== null} viewerId={shell.viewer?.id ?? null} />
    </>
  );
}

function siteName(shell: Shell | null): string {
  return shell === null || shell.organization.kind === 'root' ? 'Sideline' : shell.organization.name;
}
