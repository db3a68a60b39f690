/** The first three steps of a club, derived from its data: nothing is stored about who has seen them. */

export type StartStep = 'create' | 'upload' | 'share';
export const START_STEPS: readonly StartStep[] = ['create', 'upload', 'share'];

type StartState = {
  galleries: number;
  /** Of the only gallery. */
  photos: number;
  /** A non-member has opened it, or bought from it. */
  isVisited: boolean;
};

/** The next step; null once all are done. An owner of several galleries needs no guide. */
export function nextStep({ galleries, photos, isVisited }: StartState): StartStep | null {
  if (galleries === 0) return 'create';
  if (galleries > 1 || isVisited) return null;
  return photos === 0 ? 'upload' : 'share';
}
