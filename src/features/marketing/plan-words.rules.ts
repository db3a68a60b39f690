/** The plans in words for the marketing pages; every number comes from the one plan table (rule 18). */
import { keepsText, percentText, PLANS, type Plan } from '#src/features/tenancy/plans.rules.ts';

/** "1 active gallery", "Unlimited galleries". */
export function galleriesText({ maxActiveGalleries: most }: Plan): string {
  if (most === null) return 'Unlimited galleries';
  return most === 1 ? '1 active gallery' : `${most} active galleries`;
}

/** "Up to 500 photos per gallery", "Unlimited photos". */
export function photosText({ maxPhotosPerGallery: most }: Plan): string {
  return most === null ? 'Unlimited photos' : `Up to ${most} photos per gallery`;
}

/** The lines of a plan's card. */
export function planLines(plan: Plan): string[] {
  return [galleriesText(plan), photosText(plan), keepsText(plan)];
}

/** A line of the comparison: a text per plan, or whether the plan includes it. */
type ComparedFeature = { name: string; of: Record<Plan['id'], string | boolean> };

const ofEach = (text: (plan: Plan) => string | boolean): ComparedFeature['of'] =>
  Object.fromEntries(PLANS.map((plan) => [plan.id, text(plan)])) as ComparedFeature['of'];
const everywhere = ofEach(() => true);
const limitText = (most: number | null): string => (most === null ? 'Unlimited' : String(most));

/** Differences first, then what every plan includes. */
export const COMPARED_FEATURES: readonly { title: string; features: readonly ComparedFeature[] }[] = [
  {
    title: 'Limits and money',
    features: [
      { name: 'Active galleries', of: ofEach((plan) => limitText(plan.maxActiveGalleries)) },
      { name: 'Photos per gallery', of: ofEach((plan) => limitText(plan.maxPhotosPerGallery)) },
      {
        name: 'You keep, less card fees',
        of: ofEach((plan) => `${plan.byContract ? 'Up to ' : ''}${percentText(plan.sellerKeepsBps)}`),
      },
      { name: 'Rates by contract', of: ofEach((plan) => plan.byContract) },
    ],
  },
  {
    title: 'Galleries',
    features: [
      { name: 'Sell photos or give them away', of: everywhere },
      { name: 'Watermark until purchase', of: everywhere },
      { name: 'Private and password-protected', of: everywhere },
      { name: 'Search by keyword', of: everywhere },
      { name: 'Photos from parents and fans', of: everywhere },
      { name: 'Likes and voting', of: everywhere },
    ],
  },
  {
    title: 'Fundraising',
    features: [
      { name: 'Goal bar and donations', of: everywhere },
      { name: 'Space for your sponsors', of: everywhere },
      { name: 'Your logo and color', of: everywhere },
    ],
  },
];
