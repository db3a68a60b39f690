/**
 * One word for one sum of money, wherever it is shown.
 * Sales: what buyers paid for photos. Donations: what they added. Both without refunds and taxes. You get: sales and donations less card
 * fees, Sideline's share and what is disputed.
 */
export const SALES = 'Sales';
export const DONATIONS = 'Donations';
export const SALES_AND_DONATIONS = 'Sales and donations';
/** What photos would have cost more one by one. */
export const OFFERS_SAVED = 'Saved by offers';
/** Of that: photos that were included with registration. */
export const INCLUDED = 'Included';
/** What early birds and codes took off, after offers. */
export const REDUCTIONS = 'Reductions';
/** What of sales, donations and taxes was paid with prepaid credit; and prepaid credit that was sold: no sale until it is used. */
export const CREDIT_USED = 'Prepaid credit used';
export const CREDIT_SOLD = 'Prepaid credit sold';
export const YOU_GET = 'You get';
/** The same sum of several affiliates, to their parent. */
export const TEAMS_GET = 'Teams get';
/** And to the platform's admins. */
export const ORGANIZATIONS_GET = 'Organizations get';
export const ORGANIZATION_GETS = 'Gets';

export const wordsOfNet = (isParent: boolean): string => (isParent ? TEAMS_GET : YOU_GET);
