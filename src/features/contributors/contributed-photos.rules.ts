/** What a contributor learns of their own photos, and where lists of contributions continue. */
import { readId } from '#src/shared/read-id.ts';

export type OwnState = 'processing' | 'failed' | 'waiting' | 'shown' | 'not_chosen' | 'withdrawn';

type Facts = {
  status: 'processing' | 'ready' | 'failed';
  showInGallery: boolean;
  isReviewed: boolean;
  isRemoved: boolean;
  isWithdrawn: boolean;
};

/** A withdrawn photo that is still listed was sold: its buyers keep it. Removed by the owner is "not chosen", too. */
export function ownStateOf(photo: Facts): OwnState {
  if (photo.isWithdrawn) return 'withdrawn';
  if (photo.isRemoved) return 'not_chosen';
  if (photo.status === 'failed') return 'failed';
  if (photo.showInGallery) return photo.status === 'ready' ? 'shown' : 'processing';
  if (photo.isReviewed) return 'not_chosen';
  return photo.status === 'processing' ? 'processing' : 'waiting';
}

/** A place in a list of contributions: by contribution, then in capture order. */
export type ContributionPlace = { contributorId: number; orderKey: string; id: number };

export function writeContributionPlace({ contributorId, orderKey, id }: ContributionPlace): string {
  return `${contributorId}.${id}.${orderKey}`;
}

/** Null for anything that we did not write. */
export function readContributionPlace(text: string): ContributionPlace | null {
  const [, contributor, photo, orderKey] = /^(\d{1,16})\.(\d{1,16})\.([0-9A-Za-z]{1,200})$/.exec(text) ?? [];
  const [contributorId, id] = [readId(contributor ?? ''), readId(photo ?? '')];
  if (contributorId === null || id === null || orderKey === undefined) return null;
  return { contributorId, orderKey, id };
}
