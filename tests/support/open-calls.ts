/**
 * How visitors can request each public call and page, for a gallery in which two photos must not be seen and one may
 * be.
 */
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import pages from '#src/routes.ts';
import { RENDITION_SIZES } from '#src/shared/picture-sizes.ts';

export type Ask = { url: string; payload?: object; method?: 'GET' | 'POST' | 'PUT' | 'DELETE' };

export type Strange = {
  host: string;
  /** Of the affiliate. */
  path: string;
  organizationId: number;
  galleryId: number;
  teamId: number;
  childId: number;
  hidden: readonly number[];
  shown: number;
  /** Of a hidden photo and the shown one, in this order. */
  order: OrderAnswer;
};

type Page = { path?: string | undefined; children?: Page[] | undefined };
const patternsOf = (list: readonly Page[], above = ''): string[] =>
  list.flatMap(({ path = '', children: below = [] }) => {
    const own = path === '' ? above : `${above}/${path}`;
    return [own || '/', ...patternsOf(below, own)];
  });

/** An address of the route, for this photo if it has one in its path. */
export const addressOf = (of: Strange, pattern: string, photoId: number): string =>
  pattern
    .replace(/:(domainName|affiliate)/, of.path)
    .replace(/\/order(s?)\/:id/, `/order$1/${of.order.vanity_id}`)
    .replace(/\/(galleries|gallery)\/:id/, `/$1/${of.galleryId}`)
    .replace(/\/(affiliates|organizations)\/:id/, `/$1/${of.organizationId}`)
    .replace(/:(photoId|photo)\b/, String(photoId))
    .replace(':child', String(of.childId))
    .replace(':picture', 'logo')
    .replace(':month', '2026-11')
    .replace(/:\w+/g, String(of.galleryId))
    .replace(/\*$/, `o/${of.organizationId}/g/${of.galleryId}/x.jpg`);

/** By method and pattern of the route. */
export function openCalls(of: Strange): Record<string, () => Ask[]> {
  const { host, path, organizationId, galleryId, teamId, childId, hidden, shown, order } = of;
  /** With the address alone: a visitor does not have the other input. */
  const asked = (pattern: string): Ask[] => [
    { url: addressOf(of, pattern, shown) },
    { url: addressOf(of, pattern, hidden[0] ?? 0) },
  ];

  /** For each photo by the calls that have one, with all sizes and switches. */
  const ofEachPhoto = (tail: string, queries: readonly string[] = ['']) =>
    [...hidden, shown].flatMap((id) =>
      queries.map((query): Ask => ({ url: `/api/v1/galleries/${galleryId}/gallery_photos/${id}${tail}${query}` })),
    );
  const gallery = (tail: string): Ask => ({ url: `/api/v1/galleries/${galleryId}${tail}` });
  const withItems = () => ({
    items: [...hidden, shown].map((id) => ({ id, gallery_id: galleryId, sales_price: 4 })),
  });
  const PERSON = {
    first_name: 'Eve',
    last_name: 'Stranger',
    email: 'eve@strangers.test',
    confirm_email: 'eve@strangers.test',
  };
  const buyer = () => ({
    org_id: organizationId,
    donation: '',
    taxes: 0,
    subtotal: 12,
    checkout_key: `crawl-${Math.random()}`,
  });

  const ASKED: Record<string, () => Ask[]> = {
    'DELETE /api/v1/contributor/photos/:photoId': () => asked('/api/v1/contributor/photos/:photoId'),
    'DELETE /api/v1/family': () => asked('/api/v1/family'),
    'DELETE /api/v1/family/:child': () => asked('/api/v1/family/:child'),
    'GET /*': () => pageAddresses().map((url) => ({ url })),
    'GET /assets/:name': () => asked('/assets/:name'),
    'GET /.well-known/security.txt': () => asked('/.well-known/security.txt'),
    'GET /api/docs': () => asked('/api/docs'),
    'GET /api/openapi.json': () => asked('/api/openapi.json'),
    'GET /api/v1/affiliates/:domainName': () => asked('/api/v1/affiliates/:domainName'),
    'GET /api/v1/check-key': () => [{ url: '/api/v1/check-key?reset_password_token=x' }],
    'GET /api/v1/contributor/photos': () => [{ url: `/api/v1/contributor/photos?gallery_id=${galleryId}` }],
    'GET /api/v1/family/photos': () => [{ url: `/api/v1/family/photos?child=${childId}` }],
    'GET /api/v1/galleries/:id/full': () => [gallery('/full')],
    'GET /api/v1/galleries/:id/gallery_photos': () =>
      [
        '',
        '?limit=100',
        '?number=10',
        '?number=11',
        `?number=10&team=${teamId}`,
        '?keyword=goal',
        '?keyword=Zephyrine',
      ].map((query) => gallery(`/gallery_photos${query}`)),
    'GET /api/v1/galleries/:id/gallery_photos/:photoId': () =>
      ofEachPhoto('', [
        '',
        ...RENDITION_SIZES.map((size) => `?size=${size}`),
        '?size=99999',
        '?adminview=true',
        '?download=true',
        `?download=true&orderkey=${order.order_photo[0]?.order_key}`,
        `?orderkey=${order.order_photo[0]?.order_key}`,
        `?orderkey=${order.order_photo[1]?.order_key}`,
      ]),
    'GET /api/v1/galleries/:id/number_offers': () =>
      ['10', 'Maya', '7'].map((text) => gallery(`/number_offers?search=${text}`)),
    'GET /api/v1/galleries/:id/numbers': () => [gallery('/numbers')],
    'GET /api/v1/galleries/:id/unlock': () => [gallery('/unlock')],
    'GET /api/v1/oembed': () =>
      ['', ...[...hidden, shown].map((id) => `/photo/${id}`)].map((tail) => ({
        url: `/api/v1/oembed?url=${encodeURIComponent(`http://${host}/${path}/gallery/${galleryId}${tail}`)}`,
      })),
    'GET /api/v1/orders/:id': () => asked('/api/v1/orders/:id'),
    'GET /api/v1/orders/:id/download.zip': () => asked('/api/v1/orders/:id/download.zip'),
    'GET /api/v1/orders/:id/passes/:passId/photos': () => asked('/api/v1/orders/:id/passes/:passId/photos'),
    'GET /api/v1/organizations': () => [
      { url: '/api/v1/organizations' },
      { url: '/api/v1/organizations?for_search=true' },
    ],
    'GET /api/v1/organizations/:id': () => asked('/api/v1/organizations/:id'),
    'GET /api/v1/organizations/:id/pictures/:picture': () => asked('/api/v1/organizations/:id/pictures/:picture'),
    'GET /api/v1/organizations/:id/sponsors/:slot': () => asked('/api/v1/organizations/:id/sponsors/1'),
    'GET /api/v1/organizations/by_id/:id': () => [{ url: `/api/v1/organizations/by_id/${organizationId}` }],
    'GET /api/v1/share_cards/galleries/:id': () => [
      { url: `/api/v1/share_cards/galleries/${galleryId}` },
      ...[...hidden, shown].map((id) => ({ url: `/api/v1/share_cards/galleries/${galleryId}?photo=${id}` })),
    ],
    'GET /api/v1/share_cards/organizations/:id': () => asked('/api/v1/share_cards/organizations/:id'),
    'GET /healthz': () => asked('/healthz'),
    'GET /readyz': () => asked('/readyz'),
    'GET /robots.txt': () => asked('/robots.txt'),
    'GET /sitemap-galleries.xml': () => asked('/sitemap-galleries.xml'),
    'GET /sitemap-pages.xml': () => asked('/sitemap-pages.xml'),
    'GET /sitemap.xml': () => asked('/sitemap.xml'),
    'GET /storage/*': () => asked('/storage/*'),
    'POST /api/v1/contributor': () => [{ url: '/api/v1/contributor', payload: { photos: [] } }],
    'POST /api/v1/credit/balance': () => [{ url: '/api/v1/credit/balance', payload: { code: 'AAAA-BBBB-CCCC' } }],
    'POST /api/v1/credit_orders': () => [{ url: '/api/v1/credit_orders', payload: {} }],
    'POST /api/v1/family': () => [{ url: '/api/v1/family', payload: { code: 'AAAAABBBBB' } }],
    'POST /api/v1/family/:child/consent': () =>
      asked('/api/v1/family/:child/consent').map((ask) => ({ ...ask, payload: { consent: 'yes' } })),
    'POST /api/v1/family/:child/forget_us': () =>
      asked('/api/v1/family/:child/forget_us').map((ask) => ({ ...ask, payload: {} })),
    'POST /api/v1/family/:child/not_mine': () =>
      asked('/api/v1/family/:child/not_mine').map((ask) => ({ ...ask, payload: {} })),
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/add_like': () => ofEachPhoto('/add_like'),
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/add_vote': () => ofEachPhoto('/add_vote'),
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/remove_like': () => ofEachPhoto('/remove_like'),
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/remove_vote': () => ofEachPhoto('/remove_vote'),
    // Of the hidden ones alone: a request would hide the other one, too.
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/takedown': () =>
      ofEachPhoto('/takedown')
        .slice(0, 2)
        .map((ask) => ({ ...ask, payload: { reason: 'Please.' } })),
    'POST /api/v1/galleries/:id/gallery_photos/:photoId/takedown_form': () => ofEachPhoto('/takedown_form').slice(0, 2),
    'POST /api/v1/galleries/:id/unlock': () => [{ ...gallery('/unlock'), payload: { password: 'goal' } }],
    'POST /api/v1/galleries/:id/unlock_form': () => [{ ...gallery('/unlock_form'), payload: { password: 'goal' } }],
    'POST /api/v1/galleries/:id/visits': () => [{ ...gallery('/visits'), payload: {} }],
    'POST /api/v1/orders': () => [
      { url: '/api/v1/orders', payload: { order: { ...buyer(), user: PERSON }, stripe_token: null, ...withItems() } },
    ],
    'POST /api/v1/orders/:id/receipt': () => [{ url: `/api/v1/orders/${order.vanity_id}/receipt`, payload: {} }],
    'PUT /api/v1/orders/:id/gift': () => [
      { url: `/api/v1/orders/${order.vanity_id}/gift`, payload: { email: 'ann@buyers.test' } },
    ],
    'POST /api/v1/orders/find': () => [{ url: '/api/v1/orders/find', payload: { email: 'ann@buyers.test' } }],
    'POST /api/v1/orders/quote': () => [
      {
        url: '/api/v1/orders/quote',
        payload: {
          order: { org_id: organizationId, donation: '' },
          items: [{ id: shown, gallery_id: galleryId }],
          passes: [
            { kind: 'athlete_pass', athlete_key: `team:${teamId}:10` },
            { kind: 'athlete_pass', athlete_key: `child:${childId}` },
          ],
        },
      },
      { url: '/api/v1/orders/quote', payload: { order: { org_id: organizationId, donation: '' }, ...withItems() } },
    ],
    'POST /api/v1/orders/standing': () => [{ url: '/api/v1/orders/standing', payload: { checkout_key: 'crawl-0-0' } }],
    'POST /api/v1/organizations/:id/sponsor_views': () => asked('/api/v1/organizations/:id/sponsor_views'),
    'POST /api/v1/organizations/sign_up': () => [{ url: '/api/v1/organizations/sign_up', payload: {} }],
    'POST /api/v1/promocode/': () => [{ url: '/api/v1/promocode/', payload: { code: 'HAWKS' } }],
    'POST /api/v1/talk-to-expert': () => [{ url: '/api/v1/talk-to-expert', payload: {} }],
    'POST /api/v1/talk-to-expert/': () => [{ url: '/api/v1/talk-to-expert/', payload: {} }],
    'POST /api/v1/watches': () => [
      { url: '/api/v1/watches', payload: { email: 'eve@strangers.test', team_id: teamId, number: '10' } },
      { url: '/api/v1/watches', payload: { email: 'eve@strangers.test', child: childId } },
    ],
    'POST /api/v1/webhooks/stripe': () => [{ url: '/api/v1/webhooks/stripe', payload: {} }],
    'POST /login': () => [{ url: '/login', payload: { user: { email: 'eve@strangers.test', password: 'x' } } }],
    'POST /change-email': () => [{ url: '/change-email', payload: {} }],
    'POST /confirm-email': () => [{ url: '/confirm-email', payload: {} }],
    'POST /find-my-order': () => [{ url: '/find-my-order', payload: {} }],
    'POST /forgot-password': () => [{ url: '/forgot-password', payload: {} }],
    'POST /sign-up': () => [{ url: '/sign-up', payload: {} }],
    'POST /talk-to-expert': () => [{ url: '/talk-to-expert', payload: {} }],
    'POST /update-password': () => [{ url: '/update-password', payload: {} }],
    'POST /logout': () => [{ url: '/logout' }],
    'POST /password': () => [{ url: '/password', payload: { email: 'eve@strangers.test' } }],
    'POST /sandbox/tokens': () => [{ url: '/sandbox/tokens', payload: {} }],
    'POST /signup/': () => [{ url: '/signup/', payload: {} }],
    'POST /storage': () => [{ url: '/storage' }],
    'POST /w/stop': () => [{ url: '/w/stop?key=x' }],
    'PUT /api/v1/contributor/photos/:photoId/numbers': () =>
      [...hidden, shown].map((id) => ({
        url: `/api/v1/contributor/photos/${id}/numbers?gallery_id=${galleryId}`,
        payload: { numbers: ['10'] },
      })),
    'PUT /password': () => [{ url: '/password', payload: {} }],
  };

  /** Each page as the browser opens it and as the router reads it; public ones with what they take behind `?`. */
  const pageAddresses = () =>
    [...new Set(patternsOf(pages as Page[]))].flatMap((pattern) => {
      const own = [...new Set([...hidden, shown].map((id) => addressOf(of, pattern, id)))];
      const more =
        pattern === '/:affiliate/gallery/:id' ? ['?number=10', '?search=goal', '?embed=1', '?sort=newest'] : [];
      return own.flatMap((url) => [
        url,
        url === '/' ? '/_root.data' : `${url}.data`,
        ...more.map((query) => url + query),
      ]);
    });

  return ASKED;
}
