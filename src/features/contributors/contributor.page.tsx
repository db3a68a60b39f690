/**
 * `/contributor?contributeKey=`: photos for a gallery from anybody with its invite link, from a QR code on a fence too
 * (specification A§2, "Contributor page"). The key leaves the address bar at once (decision 8).
 */
import { useEffect, useEffectEvent, useState, type ReactNode } from 'react';
import { Link, redirect, useNavigate, type ShouldRevalidateFunctionArgs } from 'react-router';
import type { CheckKeyAnswer, Contributor } from '#src/features/contributors/contributors.contract.ts';
import { createContribution, type Contribution } from '#src/features/contributors/contribution.client.ts';
import { recallInvite, rememberInvite } from '#src/features/contributors/invite.client.ts';
import { ContributionDone } from '#src/features/contributors/ui/contribution-done.tsx';
import { ContributionProgress } from '#src/features/contributors/ui/contribution-progress.tsx';
import { ContributorForm, NOTHING_TYPED, type Typed } from '#src/features/contributors/ui/contributor-form.tsx';
import { TeamBanner } from '#src/features/organizations/ui/team-banner.tsx';
import { accentTokens } from '#src/shared/color.ts';
import { isProblem } from '#src/shared/problem.ts';
import { readId } from '#src/shared/validators.ts';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { accentStyle } from '#src/web/accent-style.ts';
import { callApi } from '#src/web/api-client.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/contributor.page.ts';

export const handle: RouteHandle = { layout: 'bare', hidesCart: true };

type Invite = CheckKeyAnswer['gallery'] & { key: string };

/** Without a key, or with a bad one, the way leads home. An address without its key is one that a tab kept for itself. */
export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const key = url.searchParams.get('contributeKey')?.trim() ?? null;
  const kept = readId(url.searchParams.get('gallery') ?? '');
  if (key === null && kept !== null) return { kept, invite: null, accent: null };
  if (key === null || key === '') throw redirect('/');
  try {
    const { gallery } = await app.contributors.checkKey(caller, key);
    const owner = await app.organizations.byId(gallery.organization.id);
    return {
      kept: null,
      invite: { ...gallery, key } satisfies Invite,
      accent: owner && accentTokens(owner.primaryColor),
    };
  } catch (error) {
    if (isProblem(error) && error.code === 'not_found') throw redirect('/');
    throw error;
  }
}

/** Taking the key out of the address asks nothing of the server. */
export function shouldRevalidate({ nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs): boolean {
  return nextUrl.searchParams.has('gallery') ? false : defaultShouldRevalidate;
}

export function headers() {
  return { 'referrer-policy': 'no-referrer', 'cache-control': 'private, no-store' };
}

export function meta({ loaderData }: Route.MetaArgs) {
  const invite = loaderData?.invite;
  return [
    { title: invite ? `Add your photos · ${invite.name} · ${invite.organization.name}` : 'Add your photos' },
    {
      name: 'description',
      content: 'Send the photos you took to the team. They look at them before anybody else does.',
    },
    { name: 'robots', content: 'noindex' },
  ];
}

export default function ContributorPage({ loaderData }: Route.ComponentProps) {
  const { kept, accent } = loaderData;
  const invite = useInvite(loaderData.invite, kept);
  return (
    <div className={accent ? 'accented min-h-dvh' : 'min-h-dvh'} style={accent ? accentStyle(accent) : undefined}>
      {invite ? <OpenInvite invite={invite} /> : <Waiting />}
    </div>
  );
}

function OpenInvite({ invite }: { invite: Invite }) {
  const [typed, setTyped] = useState<Typed>(NOTHING_TYPED);
  const [files, setFiles] = useState<readonly File[]>([]);
  const [contribution, setContribution] = useState<Contribution | null>(null);
  const [accepted, setAccepted] = useState<number | null>(null);

  function send(person: Contributor): void {
    const { key, id: galleryId, organization } = invite;
    const started = createContribution({ key, galleryId, affiliateId: organization.id }, person);
    started.start(files);
    setContribution(started);
  }
  function end(count: number | null): void {
    contribution?.queue.cancelAll();
    contribution?.end();
    setContribution(null);
    setAccepted(count);
    if (count !== null) setFiles([]);
  }

  const { organization, name, id } = invite;
  return (
    <Main edgeToEdge className="pb-12">
      <TeamBanner name={name} logoUrl={null} homeImageUrl={null} eyebrow={organization.name}>
        <p className="mt-2 max-w-prose">
          Send the photos you took. {organization.name} looks at them before anybody else does.
        </p>
      </TeamBanner>
      <div className="mx-auto w-full max-w-2xl px-3 pt-6 sm:px-5 sm:pt-8">
        <Card className="p-4 sm:p-8">
          {accepted !== null ? (
            <ContributionDone
              accepted={accepted}
              organization={organization.name}
              galleryTo={`/${organization.domain_name}/gallery/${id}`}
              onMore={() => setAccepted(null)}
            />
          ) : contribution ? (
            <ContributionProgress contribution={contribution} onDone={end} onBack={() => end(null)} />
          ) : (
            <ContributorForm typed={typed} onTyped={setTyped} files={files} onFiles={setFiles} onSend={send} />
          )}
          <noscript>
            <Words>Sending photos needs JavaScript. Please switch it on, or open this invite in another browser.</Words>
          </noscript>
        </Card>
      </div>
    </Main>
  );
}

function Waiting() {
  return (
    <Main className="grid min-h-dvh place-items-center">
      <p role="status" className="flex items-center gap-3 text-quiet">
        <Spinner /> Opening your invite
      </p>
      <noscript>
        <Words>
          Please open your invite link once more, or go <Link to="/">home</Link>.
        </Words>
      </noscript>
    </Main>
  );
}

function Words({ children }: { children: ReactNode }) {
  return <p className="mt-4 text-sm text-quiet">{children}</p>;
}

/** The invite of the page, or the one that this tab keeps for the gallery; without one the way leads home. */
function useInvite(given: Invite | null, kept: number | null): Invite | null {
  const [found, setFound] = useState<Invite | null>(null);
  const navigate = useNavigate();
  const hideKey = useEffectEvent(({ id, key }: Invite) => {
    rememberInvite(id, key);
    void navigate(`/contributor?gallery=${id}`, { replace: true, preventScrollReset: true });
  });
  const goHome = useEffectEvent(() => void navigate('/', { replace: true }));
  useEffect(() => {
    if (given) hideKey(given);
  }, [given]);
  useEffect(() => {
    if (kept === null) return;
    let isGone = false;
    void reopen(kept).then((invite) => {
      if (isGone) return;
      if (invite) setFound(invite);
      else goHome();
    });
    return () => {
      isGone = true;
    };
  }, [kept]);
  return given ?? found;
}

async function reopen(galleryId: number): Promise<Invite | null> {
  const key = recallInvite(galleryId);
  if (key === null) return null;
  const query = new URLSearchParams({ contributeKey: key });
  const answer = await callApi<CheckKeyAnswer>('GET', `/api/v1/check-key?${query}`);
  return answer.ok ? { ...answer.data.gallery, key } : null;
}
