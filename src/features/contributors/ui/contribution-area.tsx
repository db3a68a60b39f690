import { useState, type ReactNode } from 'react';
import { Link } from 'react-router';
import type { Contributor } from '#src/features/contributors/contributors.contract.ts';
import { createContribution, type Contribution } from '#src/features/contributors/contribution.client.ts';
import type { OpenInvite } from '#src/features/contributors/invite.client.ts';
import { useOwnPhotos } from '#src/features/contributors/own-photos.client.ts';
import { ContributionDone } from '#src/features/contributors/ui/contribution-done.tsx';
import { ContributionProgress } from '#src/features/contributors/ui/contribution-progress.tsx';
import { ContributorForm, NOTHING_TYPED, type Typed } from '#src/features/contributors/ui/contributor-form.tsx';
import { OwnPhotoList } from '#src/features/contributors/ui/own-photos.tsx';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import { Card } from '#src/ui/card.tsx';
import { Main } from '#src/ui/main.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

/** Someone's invite: form, uploading, success (specification A§2), and below it what they have sent before. */
export function ContributionArea({ invite }: { invite: OpenInvite }) {
  const [typed, setTyped] = useState<Typed>(() => typedBefore(invite));
  const [files, setFiles] = useState<readonly File[]>([]);
  const [contribution, setContribution] = useState<Contribution | null>(null);
  const [accepted, setAccepted] = useState<number | null>(null);
  const [sent, setSent] = useState(0);
  const { key, gallery } = invite;
  const { organization, name, id } = gallery;
  const own = useOwnPhotos({ galleryId: id, key }, sent);

  function send(person: Contributor): void {
    const started = createContribution({ key, galleryId: id, affiliateId: organization.id }, person);
    started.start(files);
    setContribution(started);
  }
  function end(count: number | null): void {
    contribution?.queue.cancelAll();
    contribution?.end();
    setContribution(null);
    setAccepted(count);
    if (count === null) return;
    setFiles([]);
    setSent((turn) => turn + 1);
  }

  return (
    <Main edgeToEdge className="pb-12">
      <TeamBanner name={name} logoUrl={null} homeImageUrl={null} eyebrow={organization.name} isNarrow>
        <p className="mt-2 max-w-prose">
          Send the photos you took. {organization.name} reviews them before anyone else sees them.
        </p>
      </TeamBanner>
      <div className="mx-auto flex w-full max-w-2xl flex-col gap-8 px-5 pt-6 sm:pt-8">
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
            <Words>Sending photos needs JavaScript. Please turn it on, or open this invite in another browser.</Words>
          </noscript>
        </Card>
        <OwnPhotoList own={own} galleryId={id} contributeKey={key} />
      </div>
    </Main>
  );
}

/** An invited person need not type again what is known of them. */
function typedBefore({ contributor }: OpenInvite): Typed {
  if (contributor === null) return NOTHING_TYPED;
  const { name, email, site, instagram } = contributor;
  return { name, email, site: site ?? '', instagram: instagram ?? '' };
}

/** While a tab looks for the invite that it keeps. */
export function OpeningInvite() {
  return (
    <Main className="grid min-h-dvh place-items-center">
      <p role="status" className="flex items-center gap-3 text-quiet">
        <Spinner /> Opening your invite
      </p>
      <noscript>
        <Words>
          Please open your invite link again, or go <Link to="/">home</Link>.
        </Words>
      </noscript>
    </Main>
  );
}

function Words({ children }: { children: ReactNode }) {
  return <p className="mt-4 text-sm text-quiet">{children}</p>;
}
