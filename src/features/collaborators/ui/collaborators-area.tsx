import { useState, type ReactNode } from 'react';
import { useRevalidator } from 'react-router';
import { useCollaborators } from '#src/features/collaborators/collaborators.client.ts';
import { INVITE } from '#src/features/collaborators/collaborators.contract.ts';
import { reviewPath } from '#src/features/contributors/invite-links.rules.ts';
import { CollaboratorList } from '#src/features/collaborators/ui/collaborator-list.tsx';
import { ContributorLinkPart } from '#src/features/collaborators/ui/contributor-link.tsx';
import { InviteDialog } from '#src/features/collaborators/ui/invite-dialog.tsx';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { ErrorList } from '#src/ui/error-list.tsx';
import { Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Skeleton } from '#src/ui/skeleton.tsx';

type CollaboratorsAreaProps = {
  gallery: Pick<GalleryAnswer, 'id' | 'name' | 'organization_id' | 'allow_public_contributions'>;
  /** The affiliate's domain name. */
  path: string;
  /** Anyone who keeps the gallery without this page's loader hears when its link changes. */
  onLinkChanged?: () => void;
};

/** Who else adds photos to a gallery: by invitation, by the link, and what waits for its owner. */
export function CollaboratorsArea({ gallery, path, onLinkChanged: tellOthers }: CollaboratorsAreaProps) {
  const { page, people, problem, isLoadingMore, refresh, more } = useCollaborators(gallery.id);
  const [isInviting, setInviting] = useState(false);
  const { revalidate } = useRevalidator();
  const onLinkChanged = () => {
    refresh();
    // The share area shows the link as well.
    void revalidate();
    tellOthers?.();
  };
  return (
    <div className="flex flex-col gap-6">
      <Part title="Invite people">
        <p className="text-sm text-quiet">
          Parents, a second photographer, the team across the field: they send photos without an account, and no one
          sees them before you do.
        </p>
        <Button
          // What waits comes first.
          variant={page !== null && page.waiting > 0 ? 'secondary' : 'primary'}
          className="self-start"
          onClick={() => setInviting(true)}
        >
          <Plus aria-hidden="true" />
          {INVITE}
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
                {page.waiting === 1 ? 'Review 1 photo' : `Review ${page.waiting.toLocaleString('en-US')} photos`}
              </LinkButton>
            )}
          </Part>
          <Part title="Contributor link">
            <ContributorLinkPart
              galleryId={gallery.id}
              link={page.link}
              isOnPage={gallery.allow_public_contributions}
              onChanged={onLinkChanged}
            />
          </Part>
          <Part title="People">
            <CollaboratorList
              galleryId={gallery.id}
              people={people}
              hasMore={page.next !== null}
              isLoadingMore={isLoadingMore}
              onMore={more}
              onChanged={refresh}
              onInviteAgain={{ affiliateId: gallery.organization_id }}
            />
          </Part>
        </>
      )}
      <InviteDialog open={isInviting} gallery={gallery} onClose={() => setInviting(false)} onInvited={refresh} />
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
