import { useState } from 'react';
import { endInvite, inviteCollaborator } from '#src/features/collaborators/collaborators.client.ts';
import { INVITE_SENT, type Collaborator } from '#src/features/collaborators/collaborators.contract.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { showToast } from '#src/ui/toast.ts';

type ListProps = {
  galleryId: number;
  people: readonly Collaborator[];
  hasMore: boolean;
  isLoadingMore: boolean;
  onMore: () => void;
  onChanged: () => void;
  onInviteAgain: { affiliateId: number };
};

/** Everyone who was invited or sent photos, by their addresses. */
export function CollaboratorList(props: ListProps) {
  const { galleryId, people, hasMore, isLoadingMore, onMore, onChanged, onInviteAgain } = props;
  const [ending, setEnding] = useState<Collaborator | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  if (people.length === 0) return <p className="text-sm text-quiet">No one has been invited or has sent photos yet.</p>;

  async function end(): Promise<void> {
    if (!ending?.invite) return;
    setBusy(true);
    const answer = await endInvite(galleryId, ending.invite.id);
    setBusy(false);
    setProblem(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    setEnding(null);
    onChanged();
  }
  async function inviteAgain(email: string): Promise<void> {
    const answer = await inviteCollaborator(onInviteAgain.affiliateId, { email, gallery_id: galleryId });
    showToast(answer.ok ? INVITE_SENT : answer.error, answer.ok ? 'success' : 'error');
    if (answer.ok) onChanged();
  }

  return (
    <>
      <ul className="flex flex-col divide-y divide-line rounded border border-line">
        {people.map((person) => (
          <Person
            key={person.email}
            person={person}
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
          busy={isLoadingMore ? 'Loading...' : false}
          onClick={onMore}
        >
          More people
        </Button>
      )}
      <ConfirmDialog
        open={ending !== null}
        title="End this invite?"
        confirmLabel="End invite"
        busy={isBusy ? 'Ending...' : false}
        problem={problem}
        onConfirm={() => void end()}
        onCancel={() => {
          setProblem(null);
          setEnding(null);
        }}
      >
        <p>
          The link of <strong className="font-semibold text-ink">{ending?.email}</strong> stops working immediately.
          Uploaded photos stay.
        </p>
      </ConfirmDialog>
    </>
  );
}

type PersonProps = { person: Collaborator; onInviteAgain: () => void; onEnd: () => void };

function Person({ person, onInviteAgain, onEnd }: PersonProps) {
  return (
    <li className="flex flex-col gap-1.5 p-3">
      <p className="min-w-0 text-sm font-semibold break-words">{person.name ?? person.email}</p>
      {person.name !== null && <p className="min-w-0 text-xs break-words text-quiet">{person.email}</p>}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet tabular-nums">
        <span>{summaryOf(person)}</span>
        {person.invite && (
          <span>
            Invited <DateText at={new Date(person.invite.sent_at)} />
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
  const parts = [photos === 1 ? '1 photo' : `${photos.toLocaleString('en-US')} photos`];
  if (shown > 0) parts.push(`${shown.toLocaleString('en-US')} shown`);
  if (waiting > 0) parts.push(`${waiting.toLocaleString('en-US')} waiting`);
  return parts.join(', ');
}
