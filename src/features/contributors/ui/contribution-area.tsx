import { useState, type ReactNode, useEffect, useRef, useEffectEvent } from 'react';
import { Link, useLocation } from 'react-router';
import {
  type Contributor,
  LINK_NOT_STORED,
  OPEN_AGAIN,
  PHOTOS_STAY_HERE,
} from '#src/features/contributors/contributors.contract.ts';
import {
  createContribution,
  type Contribution,
  type FoundInvite,
  type HandedOver,
  type OpenInvite,
  settleUnanswered,
  useInvite,
  useOwnPhotos,
} from '#src/features/contributors/contribution.client.ts';
import {
  ContributorForm,
  UnsentFiles,
  NOTHING_TYPED,
  type Typed,
} from '#src/features/contributors/ui/contributor-form.tsx';
import type { UnsentFile } from '#src/features/contributors/unsent-files.rules.ts';
import { OwnPhotoList } from '#src/features/contributors/ui/own-photos.tsx';
import { TeamBanner } from '#src/features/branding/ui/team-banner.tsx';
import { Card } from '#src/ui/card.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Main } from '#src/ui/main.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { hiddenCollaboratorPath } from '#src/features/contributors/contributor-paths.rules.ts';
import { Button } from '#src/ui/button.tsx';
import { CircleCheck } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { CONTRIBUTE_KEY_UNKNOWN } from '#src/features/galleries/galleries.contract.ts';
import { useUploadSummary } from '#src/features/uploads/uploads.client.ts';
import { WAITING_FOR_NETWORK } from '#src/features/uploads/upload-tray.contract.ts';
import { HEIC_HELP, ONLY_JPEG_NOT_HEIC } from '#src/features/uploads/uploads.contract.ts';
import { UploadRows } from '#src/features/uploads/ui/upload-rows.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { ProgressBar } from '#src/ui/progress.tsx';
import { counted } from '#src/shared/counted.ts';
import { readFromTab, storeInTab } from '#src/web/tab-storage.ts';

/** The invite, once it is found. */
export function InvitedArea({ invite }: { invite: FoundInvite }) {
  if (invite === null || invite === 'missing') return <NoInvite isMissing={invite === 'missing'} />;
  return <ContributionArea invite={invite} />;
}

/** Someone's invite: form, uploading, success (specification A§2), and below it their earlier photos. */
function ContributionArea({ invite }: { invite: OpenInvite }) {
  const [typed, setTyped] = useState<Typed>(() => typedBefore(invite));
  const [files, setFiles] = useState<readonly File[]>([]);
  const [unsent, setUnsent] = useState<readonly UnsentFile[]>([]);
  const [contribution, setContribution] = useState<Contribution | null>(null);
  /** Of a canceled contribution. */
  const [unanswered, setUnanswered] = useState<ReturnType<Contribution['unanswered']>>([]);
  const [accepted, setAccepted] = useState<number | null>(null);
  const [sent, setSent] = useState(0);
  const { key, gallery } = invite;
  const { organization, name, id } = gallery;
  const own = useOwnPhotos({ galleryId: id, key }, sent);
  const arrivedBefore = useEarlierVisit(
    { galleryId: id, key },
    (then) => setTyped((now) => filledFrom(now, then)),
    () => setSent((count) => count + 1),
  );

  function send(person: Contributor): void {
    storeInTab(typedName(key), JSON.stringify(typed));
    const started = createContribution({ key, galleryId: id, affiliateId: organization.id }, person);
    started.start(files, unanswered);
    setContribution(started);
  }
  function end(count: number | null): void {
    const troubled = contribution?.queue.summary().troubled ?? [];
    contribution?.queue.cancelAll();
    contribution?.end();
    setContribution(null);
    setAccepted(count);
    setFiles(count === null ? files.filter((file) => !contribution?.hasArrived(file)) : []);
    setUnanswered(count === null ? (contribution?.unanswered() ?? []) : []);
    setSent((count) => count + 1);
    if (count === null) return;
    setUnsent([...unsent, ...troubled.map(({ name, problem }) => ({ name, why: problem ?? NOT_UPLOADED }))]);
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
              unsent={unsent}
              organization={organization.name}
              galleryTo={`/${organization.domain_name}/gallery/${id}`}
              onMore={() => {
                setAccepted(null);
                setUnsent([]);
              }}
            />
          ) : contribution ? (
            <ContributionProgress contribution={contribution} onDone={end} onBack={() => end(null)} />
          ) : (
            <ContributorForm
              {...{ typed, files, unsent, arrivedBefore }}
              galleryId={id}
              onTyped={setTyped}
              onFiles={setFiles}
              onUnsent={setUnsent}
              onSend={send}
            />
          )}
          <noscript>
            <NoScriptNote>
              Sending photos requires JavaScript. Please turn it on, or open this invite in another browser.
            </NoScriptNote>
          </noscript>
        </Card>
        <OwnPhotoList own={own} galleryId={id} contributeKey={key} />
      </div>
    </Main>
  );
}

/** What was typed for this invite when photos were sent, for this tab: phones close a page that is hidden. */
const typedName = (key: string) => `sideline:contributor:${key}`;

/**
 * What an earlier page of this browser has left: fills in the form, and finds out what arrived of the photos that it sent
 * while it closed. Returns how many.
 */
function useEarlierVisit(
  invite: { galleryId: number; key: string },
  onTyped: (typed: Typed) => void,
  onArrived: () => void,
): number {
  const [arrived, setArrived] = useState(0);
  const begin = useEffectEvent((count: number) => {
    const typed = readFromTab(typedName(invite.key));
    if (typed !== null) onTyped(JSON.parse(typed) as Typed);
    if (count === 0) return;
    setArrived(count);
    onArrived();
  });
  const { galleryId, key } = invite;
  useEffect(() => void settleUnanswered({ galleryId, key }).then(begin), [galleryId, key]);
  return arrived;
}

/** Blank values take those of `then`. */
function filledFrom(now: Typed, then: Typed): Typed {
  return {
    name: now.name || then.name,
    email: now.email || then.email,
    site: now.site || then.site,
    instagram: now.instagram || then.instagram,
  };
}

/** Known values of an invited person are filled in. */
function typedBefore({ contributor }: OpenInvite): Typed {
  if (contributor === null) return NOTHING_TYPED;
  const { name, email, site, instagram } = contributor;
  return { name, email, site: site ?? '', instagram: instagram ?? '' };
}

/** While a tab looks for its stored invite, and if it has none. */
function NoInvite({ isMissing }: { isMissing: boolean }) {
  return (
    <Main className="grid min-h-dvh place-items-center">
      <div role="status">
        {isMissing ? (
          <EmptyState level={1} title={OPEN_AGAIN} action={<LinkButton to="/">Go to the home page</LinkButton>}>
            {LINK_NOT_STORED}
          </EmptyState>
        ) : (
          <p className="flex items-center gap-3 text-quiet">
            <Spinner /> Opening your invite
          </p>
        )}
      </div>
      <noscript>
        <NoScriptNote>
          Please open your invite link again, or go <Link to="/">home</Link>.
        </NoScriptNote>
      </noscript>
    </Main>
  );
}

function NoScriptNote({ children }: { children: ReactNode }) {
  return <p className="mt-4 text-sm text-quiet">{children}</p>;
}

/** The loader's data for someone with `collabKey`. */
type ContributorAreaProps = {
  /** Null if the key has been removed from the address: this tab stores it. */
  invite: OpenInvite | null;
  galleryId: number;
};

/**
 * The editor's address for someone with a personal key (specification A§2, 6): upload and their own photos; no settings, no
 * promotion, no public view. A member who opens it is a contributor here, too.
 */
export function ContributorArea({ invite: given, galleryId }: ContributorAreaProps) {
  const { pathname } = useLocation();
  const invite = useInvite(given, given === null ? galleryId : null, hiddenCollaboratorPath(pathname));
  return <InvitedArea invite={invite} />;
}

const NOT_UPLOADED = 'The upload stopped.';

type DoneProps = {
  accepted: number;
  unsent: readonly UnsentFile[];
  organization: string;
  galleryTo: string;
  onMore: () => void;
};

/** The success page: what happens next, which files were left out, and a button to send more. */
function ContributionDone({ accepted, unsent, organization, galleryTo, onMore }: DoneProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section aria-label="Success" className="flex flex-col items-center gap-4 py-6 text-center">
      <span
        aria-hidden="true"
        className="grid size-14 place-items-center rounded-full bg-success-tint text-success [&_svg]:size-6"
      >
        <CircleCheck />
      </span>
      <h2 ref={heading} tabIndex={-1} className="text-xl outline-none">
        Thank you!
      </h2>
      <p role="status" className="max-w-prose text-quiet">
        {accepted === 1 ? 'Your photo has' : `Your ${accepted} photos have`} arrived. {organization} reviews{' '}
        {accepted === 1 ? 'it' : 'them'} first; then {accepted === 1 ? 'it appears' : 'they appear'} in the gallery.
      </p>
      {unsent.length > 0 && (
        <section aria-label="Not sent" className="w-full text-left">
          <p className="mb-1 text-sm font-semibold">
            {counted(unsent.length, 'file was not sent:', 'files were not sent:')}
          </p>
          <UnsentFiles unsent={unsent} />
        </section>
      )}
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <Button onClick={onMore}>Send more photos</Button>
        <LinkButton to={galleryTo} variant="secondary">
          See the gallery
        </LinkButton>
      </div>
    </section>
  );
}

type ProgressProps = {
  contribution: Contribution;
  onDone: (accepted: number) => void;
  /** Back to the form, which keeps its values. */
  onBack: () => void;
};

/** Uploads in progress; when all are done they are submitted automatically. */
function ContributionProgress({ contribution, onDone, onBack }: ProgressProps) {
  const { queue } = contribution;
  const { counts, inWork, bytes, sentBytes, ids, firstInWork, hold } = useUploadSummary(queue);
  const [refusal, setRefusal] = useState<Exclude<HandedOver, { accepted: number }> | null>(null);
  const [isHandingOver, setHandingOver] = useState(false);
  const [total] = useState(ids.length);
  const wrong = counts.failed + counts.refused;
  const stored = contribution.storedCount();
  // An invalid link is reported once, not only in every row.
  const why = [...new Set(ids.map((id) => queue.row(id)?.problem).filter((text) => typeof text === 'string'))];
  const isInviteOver = counts.failed > 0 && why.includes(CONTRIBUTE_KEY_UNKNOWN);

  async function handOver(): Promise<void> {
    hasHandedOver.current = true;
    setRefusal(null);
    setHandingOver(true);
    const answer = await contribution.handOver();
    setHandingOver(false);
    if ('accepted' in answer) onDone(answer.accepted);
    else setRefusal(answer);
  }
  const hasHandedOver = useRef(false);
  const handOverWhenUploaded = useEffectEvent(() => {
    const counts = queue.summary().counts;
    if (
      hasHandedOver.current ||
      queue.isBusy() ||
      counts.failed + counts.refused > 0 ||
      contribution.storedCount() === 0
    )
      return;
    hasHandedOver.current = true;
    void handOver();
  });
  useEffect(() => queue.watchSummary(() => handOverWhenUploaded()), [queue]);

  const percent = bytes === 0 ? 100 : Math.floor((sentBytes / bytes) * 100);
  return (
    <section aria-label="Uploads" className="flex flex-col gap-5">
      <div className="flex flex-col gap-3">
        <p role="status" className="text-lg font-bold">
          {isHandingOver ? 'Submitting' : stateOf({ inWork, wrong, isOffline: hold === 'network' })}
        </p>
        <p className="text-sm text-quiet tabular-nums">
          {Math.min(stored, total)} of {total === 1 ? '1 photo' : `${total} photos`} uploaded. Please keep this page
          open.
        </p>
        <ProgressBar label="All uploads" percent={isHandingOver ? null : percent} />
      </div>
      {isInviteOver && <ErrorList heading={CONTRIBUTE_KEY_UNKNOWN} messages={[PHOTOS_STAY_HERE]} />}
      {refusal && (
        <ErrorList
          heading={refusal.messages[0] ?? ''}
          messages={refusal.mayRetry ? refusal.messages.slice(1) : [PHOTOS_STAY_HERE]}
        />
      )}
      {ids.length > 0 && (
        <div className="overflow-hidden rounded border border-line [&>div]:border-t-0">
          <UploadRows ids={ids} firstInWork={firstInWork} queue={queue} />
        </div>
      )}
      {why.includes(ONLY_JPEG_NOT_HEIC) && <p className="text-sm text-quiet">{HEIC_HELP}</p>}
      <div className="flex flex-wrap gap-3">
        {refusal?.mayRetry && <Button onClick={() => void handOver()}>Try again</Button>}
        {inWork === 0 && !isInviteOver && (
          <NextSteps
            failed={counts.failed}
            stored={wrong > 0 && !isHandingOver ? stored : 0}
            onRetry={() => queue.retryAll()}
            onSend={() => void handOver()}
          />
        )}
        {!isHandingOver && (
          <Button variant="quiet" className="first:-ml-4" onClick={onBack}>
            {inWork > 0 ? 'Cancel' : 'Back'}
          </Button>
        )}
      </div>
    </section>
  );
}

function stateOf({ inWork, wrong, isOffline }: { inWork: number; wrong: number; isOffline: boolean }): string {
  if (inWork > 0) return isOffline ? WAITING_FOR_NETWORK : 'Uploading';
  return wrong > 0 ? 'Not all photos are uploaded' : 'Uploaded';
}

type NextStepsProps = { failed: number; stored: number; onRetry: () => void; onSend: () => void };

/** Tries again, or continues without those that failed. */
function NextSteps({ failed, stored, onRetry, onSend }: NextStepsProps) {
  return (
    <>
      {failed > 0 && <Button onClick={onRetry}>{failed === 1 ? 'Retry 1 photo' : `Retry ${failed} photos`}</Button>}
      {stored > 0 && (
        <Button variant={failed > 0 ? 'secondary' : 'primary'} onClick={onSend}>
          {stored === 1 ? 'Send the 1 uploaded photo' : `Send the ${stored} uploaded photos`}
        </Button>
      )}
    </>
  );
}
