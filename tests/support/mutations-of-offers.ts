/** More of `mutations.ts`: in prices and codes, and in the protection of children. */
import type { Mutation } from '#tests/support/mutations.ts';

export const OFFERS: readonly Mutation[] = [
  {
    what: 'a code is used once more than it may',
    from: 'coupon.uses >= maxUses',
    to: 'coupon.uses > maxUses',
    tests: ['coupons/'],
  },
  {
    what: 'a person uses a code once more than they may',
    from: 'coupon.usesOfPerson >= maxPerPerson',
    to: 'coupon.usesOfPerson > maxPerPerson',
    tests: ['coupons/'],
  },
  {
    what: 'two orders at once use a code for the last time',
    from: 'await usesSql.lockCoupon(tx, use.couponId);',
    to: '',
    tests: ['coupons/', 'order-offers/'],
  },
  {
    what: 'a code of one sender is tried eleven times',
    from: 'const WRONG_CODES = 10;',
    to: 'const WRONG_CODES = 11;',
    tests: ['coupons/'],
  },
  {
    what: 'an early bird ends a day early',
    from: 'question.today <= content.earlyBird.lastDay',
    to: 'question.today < content.earlyBird.lastDay',
    tests: ['offers/', 'order-offers/'],
  },
  {
    what: 'a code counts below its minimum',
    from: 'plain.subtotalCents < coupon.minimumCents',
    to: 'plain.subtotalCents < 0',
    tests: ['offers/', 'coupons/'],
  },
  {
    what: 'a code is used where the early bird saves as much',
    from: 'savedCents <= earlyCents',
    to: 'savedCents < earlyCents',
    tests: ['offers/'],
  },
  {
    what: 'the missing cent goes to the smallest remainder',
    from: 'b.left - a.left || a.at - b.at',
    to: 'a.left - b.left || a.at - b.at',
    tests: ['offers/'],
  },
  {
    what: 'photos of a bundle are refunded twice',
    from: 'order.paidCents - order.refundedCents - keptCents',
    to: 'order.paidCents - keptCents',
    tests: ['offers/', 'refunds/', 'order-offers/'],
  },
  {
    what: 'credit of one seller pays at another',
    from: 'if (!match || !isHere) answer.others.push(text);',
    to: 'if (!match) answer.others.push(text);',
    tests: ['credit/', 'credit-shop/'],
  },
  {
    what: 'two orders at once spend the same credit',
    from: "if (!isLeft) throw problem('conflict', words.CREDIT_CHANGED);",
    to: '',
    tests: ['credit/', 'credit-shop/', 'order-offers/'],
  },
  {
    what: 'credit leaves the card less than it may charge',
    from: 'rest > 0 && rest < minimumCents',
    to: 'rest < 0',
    tests: ['credit-shop/', 'least-charge'],
  },
  {
    what: 'more photos are included than are left',
    from: "if (!(await usesSql.areLeft(tx, uses))) throw problem('conflict', INCLUDED_USED);",
    to: '',
    tests: ['allowances/', 'order-offers/'],
  },
];

export const CHILDREN: readonly Mutation[] = [
  {
    what: 'a card that was replaced opens its child',
    from: '!card.ended && card.athleteId !== null',
    to: 'card.athleteId !== null',
    tests: ['families/'],
  },
  {
    what: 'a card opens its child on the host of others',
    from: 'card.organizationId === host.id || card.parentOrganizationId === host.id',
    to: 'host.id > 0',
    tests: ['families/'],
  },
  {
    what: 'a family sees what was hidden for another reason',
    from: 'p.show_in_gallery or (p.withheld_at is not null and only_family_sees(p.id, ${athleteId}))',
    to: 'p.show_in_gallery or p.withheld_at is not null',
    tests: ['families/', 'consent/', 'family-page/'],
  },
  {
    what: 'a family makes the word of the club looser',
    from: "return strictestOf([club ?? 'unknown', ...(status.families.length > 0 ? status.families : [answer])]);",
    to: 'return answer;',
    tests: ['consent/'],
  },
  {
    what: 'a file takes back what a family asked for',
    from: "if (by === 'import') {",
    to: "if (by === 'import') return answer;\n  if (by === ('never' as ConsentBy)) {",
    tests: ['consent/', 'roster'],
  },
  {
    what: 'the CDN keeps pictures of a child that are hidden now',
    from: 'await ctx.photos.forgetPictures(tx, hidden);',
    to: '',
    tests: ['pictures/'],
  },
  {
    what: 'an API token does more than its scopes say',
    from: "if (!actor.scopes.includes(scope)) throw problem('forbidden', lacksScope(scope));",
    to: '',
    tests: ['api-tokens/', 'api-token-reach'],
  },
  {
    what: 'a webhook is sent to a private address',
    from: 'IS_NUMBER.test(host) || (IS_LOCAL.test(host)',
    to: 'false || (IS_LOCAL.test(host)',
    tests: ['webhooks/'],
  },
];
