/**
 * `/contributor?contributeKey=`: photos for a gallery from anyone with its invite link, also from a printed QR code
 * (specification A§2, "Contributor page"). The key is removed from the address bar immediately (rule 8).
 */
import { useEffect } from 'react';
import { redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import { useInvite, type OpenInvite } from '#src/features/contributors/contribution.client.ts';
import { InvitedArea } from '#src/features/contributors/ui/contribution-area.tsx';
import { accentTokens, type AccentTokens } from '#src/shared/color.ts';
import { orNull } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { useInBrowser } from '#src/ui/use-in-browser.ts';
import { accentStyle } from '#src/web/frame/accent-style.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import { readFromTab, storeInTab } from '#src/web/tab-storage.ts';
import type { Route } from './+types/contributor.page.ts';

export const handle: RouteHandle = { layout: 'bare', hidesCart: true };

/** Without a valid key it redirects to the home page. An address without a key may belong to a tab that stores it. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const key = url.searchParams.get('contributeKey')?.trim() ?? null;
  const chosenId = readId(url.searchParams.get('gallery') ?? '');
  if (key === null && chosenId !== null) return { chosenId, invite: null, accent: null };
  if (key === null || key === '') throw redirect('/');
  const opened = await orNull(app.contributors.checkKey(caller, key));
  if (!opened) throw redirect('/');
  const owner = await app.organizations.byId(opened.gallery.organization.id);
  return {
    chosenId: null,
    invite: { ...opened, key } satisfies OpenInvite,
    accent: owner && accentTokens(owner.primaryColor),
  };
}

/** Removing the key from the address loads nothing. */
export function shouldRevalidate({ nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return nextUrl.searchParams.has('gallery') ? false : defaultShouldRevalidate;
}

export function headers() {
  return { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const gallery = loaderData?.invite?.gallery;
  return [
    { title: gallery ? `Add your photos · ${gallery.name} · ${gallery.organization.name}` : 'Add your photos' },
    {
      name: 'description',
      content: 'Send the photos you took to the team. They review them before anyone else sees them.',
    },
    { name: 'robots', content: 'noindex' },
  ];
}

/** The team's color; a reloaded page, whose address has no key, has the one that its tab stores. */
function useStoredAccent(given: AccentTokens | null, galleryId: number | null): AccentTokens | null {
  const name = `sideline:invite-accent:${galleryId}`;
  const isInBrowser = useInBrowser();
  useEffect(() => {
    if (given) storeInTab(name, JSON.stringify(given));
  }, [given, name]);
  if (given || !isInBrowser) return given;
  try {
    return JSON.parse(readFromTab(name) ?? 'null') as AccentTokens | null;
  } catch {
    return null;
  }
}

export default function ContributorPage({ loaderData }: Route.ComponentProps) {
  const { chosenId } = loaderData;
  const galleryId = loaderData.invite?.gallery.id ?? chosenId;
  const accent = useStoredAccent(loaderData.accent, galleryId);
  const invite = useInvite(loaderData.invite, chosenId, `/contributor?gallery=${galleryId}`);
  return (
    <div className={accent ? 'accented min-h-dvh' : 'min-h-dvh'} style={accent ? accentStyle(accent) : undefined}>
      <InvitedArea invite={invite} />
    </div>
  );
}
