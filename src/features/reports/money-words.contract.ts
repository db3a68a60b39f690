/**
 * One word for one sum of money, wherever it is shown.
 * Sales: what buyers paid for photos. Donations: what they added. Both without refunds and taxes. You get: sales and donations less card
 * fees, Sideline's share and what is disputed.
 */
export const SALES = 'Sales';
export const DONATIONS = 'Donations';
export const SALES_AND_DONATIONS = 'Sales and donations';
export const YOU_GET = 'You get';
/** The same sum of several affiliates, to their parent. */
export const TEAMS_GET = 'Teams get';
/** And to the platform's admins. */
export const ORGANIZATIONS_GET = 'Organizations get';
export const ORGANIZATION_GETS = 'Gets';

export const wordsOfNet = (isParent: boolean): string => (isParent ? TEAMS_GET : YOU_GET);
