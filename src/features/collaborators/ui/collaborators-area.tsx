import { useState, type ReactNode, useEffect, useRef, type FormEvent } from 'react';
import { useRevalidator } from 'react-router';
import { useCollaborators, endInvite, inviteCollaborator } from '#src/features/collaborators/collaborators.client.ts';
import * as words from '#src/features/collaborators/collaborators.contract.ts';
import type { Collaborator } from '#src/features/collaborators/collaborators.contract.ts';
import { reviewPath } from '#src/features/contributors/contributor-paths.rules.ts';
import { ContributorLinkPart } from '#src/features/collaborators/ui/contributor-link.tsx';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { Plus, CircleCheck } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { showToast } from '#src/ui/toast.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { INVALID_EMAIL, isEmail } from '#src/shared/validators.ts';
import { Dialog } from '#src/ui/dialog.tsx';
import { useForm } from '#src/web/use-form.ts';
import { counted, formatCount } from '#src/shared/counted.ts';

type CollaboratorsAreaProps = {
  gallery: Pick<GalleryAnswer, 'id' | 'name' | 'organization_id' | 'allow_public_contributions'>;
  /** The affiliate's domain name. */
  path: string;
  /** Called when the link changes, for callers without this page's loader. */
  onLinkChanged?: () => void;
};

/** Who else adds photos to a gallery: by invitation, by the link; and photos that wait for the owner. */
export function CollaboratorsArea({ gallery, path, onLinkChanged: notifyOthers }: CollaboratorsAreaProps) {
  const { page, people, problem, hasMore, isLoadingMore, refresh, more } = useCollaborators(gallery.id);
  const [isInviting, setInviting] = useState(false);
  const { revalidate } = useRevalidator();
  const onLinkChanged = () => {
    refresh();
    // The share area shows the link, too.
    void revalidate();
    notifyOthers?.();
  };
  return (
    <div className="flex flex-col gap-6">
      <Part title="Invite people">
        <p className="text-sm text-quiet">
          Parents, a second photographer, the team across the field: they send photos without an account, and no one
          sees them before you do.
        </p>
        <Button
          // Waiting photos come first.
          variant={page !== null && page.waiting > 0 ? 'secondary' : 'primary'}
          className="self-start"
          onClick={() => setInviting(true)}
        >
          <Plus aria-hidden="true" />
          {words.INVITE}
        </Button>
      </Part>
      {problem !== null && (
        <div className="flex flex-col gap-3">
          <ErrorList messages={[problem]} />
          <Button variant="secondary" size="small" className="self-start" onClick={refresh}>
            Try again
          </Button>
        </div>
      )}
      {page === null ? (
        problem === null && <Loading />
      ) : (
        <>
          <Part title="Review">
            {page.waiting === 0 ? (
              <p className="text-sm text-quiet">Nothing to review.</p>
            ) : (
              <LinkButton to={reviewPath({ affiliate: path, id: gallery.id })} className="self-start">
                {page.waiting === 1 ? 'Review 1 photo' : `Review ${formatCount(page.waiting)} photos`}
              </LinkButton>
            )}
          </Part>
          <Part title="Contributor link">
            <ContributorLinkPart
              galleryId={gallery.id}
              link={page.link}
              timeZone={page.time_zone}
              isOnPage={gallery.allow_public_contributions}
              onChanged={onLinkChanged}
            />
          </Part>
          <Part title="People">
            <CollaboratorList
              galleryId={gallery.id}
              people={people}
              timeZone={page.time_zone}
              hasMore={hasMore}
              isLoadingMore={isLoadingMore}
              onMore={more}
              onChanged={refresh}
              affiliateId={gallery.organization_id}
            />
          </Part>
        </>
      )}
      <Dialog open={isInviting} onClose={() => setInviting(false)} title="Invite someone">
        <InviteForm gallery={gallery} onInvited={refresh} />
      </Dialog>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <h2 className="text-base font-bold">{title}</h2>
      {children}
    </section>
  );
}

function Loading() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Loading</span>
      <Skeleton className="h-11" />
      <Skeleton className="size-40" />
      <Skeleton className="h-24" />
    </div>
  );
}

type ListProps = {
  galleryId: number;
  people: readonly Collaborator[];
  timeZone: string;
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  onChanged: () => void;
  affiliateId: number;
};

/** Everyone who was invited or sent photos, by address. */
function CollaboratorList(props: ListProps) {
  const { galleryId, people, timeZone, hasMore, isLoadingMore, onMore, onChanged, affiliateId } = props;
  const [ending, setEnding] = useState<Collaborator | null>(null);
  const invite = ending?.invite;
  if (people.length === 0) return <p className="text-sm text-quiet">No one has been invited or has sent photos yet.</p>;

  async function inviteAgain(email: string): Promise<void> {
    const answer = await inviteCollaborator(affiliateId, { email, gallery_id: galleryId });
    showToast(answer.ok ? words.INVITE_SENT : answer.error, answer.ok ? 'success' : 'error');
    if (answer.ok) onChanged();
  }

  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded border border-line">
        {people.map((person) => (
          <Person
            key={person.email}
            person={person}
            timeZone={timeZone}
            onInviteAgain={() => void inviteAgain(person.email)}
            onEnd={() => setEnding(person)}
          />
        ))}
      </ul>
      {hasMore && (
        <Button
          variant="secondary"
          size="small"
          className="self-start"
          busy={isLoadingMore && 'Loading...'}
          onClick={onMore}
        >
          More people
        </Button>
      )}
      {invite && (
        <ConfirmCall
          title="End this invite?"
          confirmLabel="End invite"
          busy="Ending..."
          call={() => endInvite(galleryId, invite.id)}
          onDone={() => {
            setEnding(null);
            onChanged();
          }}
          onCancel={() => setEnding(null)}
        >
          <p>
            The link for <strong className="font-semibold text-ink">{ending.email}</strong> stops working immediately.
            Uploaded photos stay.
          </p>
        </ConfirmCall>
      )}
    </>
  );
}

type PersonProps = { person: Collaborator; timeZone: string; onInviteAgain: () => void; onEnd: () => void };

function Person({ person, timeZone, onInviteAgain, onEnd }: PersonProps) {
  return (
    <li className="flex flex-col gap-1.5 p-3">
      <p className="min-w-0 text-sm font-semibold break-words">{person.name ?? person.email}</p>
      {person.name !== null && <p className="min-w-0 text-xs break-words text-quiet">{person.email}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet tabular-nums">
        <span>{summaryOf(person)}</span>
        {person.invite && (
          <span>
            Invited <DateText at={new Date(person.invite.sent_at)} timeZone={timeZone} />
          </span>
        )}
        {person.invite?.is_revoked === true && <Badge>Link ended</Badge>}
      </div>
      {person.invite && (
        <div className="-ml-3 flex flex-wrap">
          <Button variant="quiet" size="small" onClick={onInviteAgain}>
            Invite again
            <span className="sr-only"> {person.email}</span>
          </Button>
          {!person.invite.is_revoked && (
            <Button variant="quiet" size="small" onClick={onEnd}>
              End link
              <span className="sr-only"> of {person.email}</span>
            </Button>
          )}
        </div>
      )}
    </li>
  );
}

function summaryOf({ photos, shown, waiting }: Collaborator): string {
  if (photos === 0) return 'No photos yet';
  const parts = [counted(photos, 'photo', 'photos')];
  if (shown > 0) parts.push(`${formatCount(shown)} shown`);
  if (waiting > 0) parts.push(`${formatCount(waiting)} waiting`);
  return parts.join(', ');
}

/** Problems of the address before it is sent. */
function problemsOf({ email }: { email: string }): FieldErrors {
  const address = email.trim();
  if (address === '') return { email: [words.INVITE_EMAIL_REQUIRED] };
  return isEmail(address) ? {} : { email: [INVALID_EMAIL] };
}

type InviteFormProps = { gallery: CollaboratorsAreaProps['gallery']; onInvited: () => void };

/** One address after another: the field is cleared once an invite is sent. */
function InviteForm({ gallery, onInvited }: InviteFormProps) {
  const form = useForm({ email: '' }, problemsOf);
  const [wasSent, setWasSent] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!wasSent) return;
    const timer = setTimeout(() => setWasSent(false), words.INVITE_REVERT_MS);
    return () => clearTimeout(timer);
  }, [wasSent]);

  async function invite(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (wasSent) return;
    if (Object.keys(problemsOf(form.values)).length > 0) field.current?.focus();
    const sent = await form.send(({ email }) =>
      inviteCollaborator(gallery.organization_id, { email: email.trim(), gallery_id: gallery.id }),
    );
    if (!sent) return;
    form.setValues({ email: '' });
    setWasSent(true);
    field.current?.focus();
    onInvited();
  }

  return (
    <form method="dialog" noValidate onSubmit={(event) => void invite(event)} className="flex flex-col gap-4 pb-2">
      <p className="text-sm text-quiet">
        They get an email with their own link to “{gallery.name}”. You can end it at any time.
      </p>
      <TextField
        type="email"
        spellCheck={false}
        ref={field}
        label="Email"
        autoComplete="off"
        required
        data-autofocus=""
        maxLength={254}
        {...form.field('email')}
        errors={Object.values(form.errors).flat()}
      />
      <div className="flex justify-end">
        <Button type="submit" busy={form.isSending && words.INVITING} className="min-w-36">
          {wasSent ? (
            <>
              <CircleCheck aria-hidden="true" />
              {words.INVITE_SENT}
            </>
          ) : (
            words.INVITE
          )}
        </Button>
      </div>
      <p role="status" className="sr-only">
        {wasSent ? words.INVITE_SENT : ''}
      </p>
    </form>
  );
}
