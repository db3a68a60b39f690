import { useLocation } from 'react-router';
import { useInvite, type OpenInvite } from '#src/features/contributors/invite.client.ts';
import { hiddenCollaboratorPath } from '#src/features/contributors/invite-links.rules.ts';
import { ContributionArea, OpeningInvite } from '#src/features/contributors/ui/contribution-area.tsx';

/** What the loader of the editor's address answers to someone with `collabKey`. */
export type ContributorAreaProps = {
  /** Null where the key has left the address: this tab keeps it. */
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
  return invite ? <ContributionArea invite={invite} /> : <OpeningInvite />;
}
