/**
 * One name for each sum of money, wherever it is shown. Sales: what buyers paid for photos. Donations: what they added. Both
 * without refunds and taxes. You get: sales and donations less card fees, Sideline's share and disputed amounts.
 */
export const SALES = 'Sales';
export const DONATIONS = 'Donations';
export const SALES_AND_DONATIONS = 'Sales and donations';
/** What the photos would have cost more at single prices. */
export const OFFERS_SAVED = 'Saved by offers';
/** Part of it: photos included with registration. */
export const INCLUDED = 'Included';
/** Reductions by early birds and codes, after offers. */
export const REDUCTIONS = 'Reductions';
/**
 * The part of sales, donations and taxes paid with prepaid credit; and prepaid credit sold, which is no sale until it is used.
 */
export const CREDIT_USED = 'Prepaid credit used';
export const CREDIT_SOLD = 'Prepaid credit sold';
export const YOU_GET = 'You get';
/** The same sum of several affiliates, shown to their parent. */
export const TEAMS_GET = 'Teams get';
/** The same, shown to platform admins. */
export const ORGANIZATIONS_GET = 'Organizations get';
export const ORGANIZATION_GETS = 'Gets';

export const wordsOfNet = (isParent: boolean): string => (isParent ? TEAMS_GET : YOU_GET);
