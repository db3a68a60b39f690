import { describe, expect, it } from 'vitest';
import { createLog, scrubUrl } from '#src/platform/log.ts';

describe('scrubUrl', () => {
  it.each([
    ['/login', '/login'],
    ['/api/v1/check-key?contributeKey=abc123', '/api/v1/check-key?contributeKey=[hidden]'],
    ['/contributor?CONTRIBUTEKEY=abc&x=1', '/contributor?CONTRIBUTEKEY=[hidden]&x=1'],
    [
      '/api/v1/galleries/5/gallery_photos/6?size=640&orderkey=Zz9&download=true',
      '/api/v1/galleries/5/gallery_photos/6?size=640&orderkey=[hidden]&download=true',
    ],
    ['/update-password?reset_password_token=a%20b', '/update-password?reset_password_token=[hidden]'],
    ['/x?collab%4bey=secret', '/x?collab%4bey=[hidden]'],
    ['/x?user[password]=secret&user%5Btoken%5D=t', '/x?user[password]=[hidden]&user%5Btoken%5D=[hidden]'],
    ['/login?redirect=%2Fcontributor%3FcontributeKey%3Dabc', '/login?redirect=[hidden]'],
    ['/login?redirect=%2Fhawks%2Fgallery%2F1', '/login?redirect=%2Fhawks%2Fgallery%2F1'],
    [
      '/api/v1/galleries/5/gallery_photos?keyword=Maya+R&page=2',
      '/api/v1/galleries/5/gallery_photos?keyword=[hidden]&page=2',
    ],
    ['/hawks-soccer/gallery/5?search=Maya', '/hawks-soccer/gallery/5?search=[hidden]'],
    ['/x?token', '/x?token'],
    ['/x?token=', '/x?token=[hidden]'],
    ['/x?a=%E0%A4%A&token=t', '/x?a=%E0%A4%A&token=[hidden]'],
    ['/x?a=1#token=abc', '/x?a=1'],
    ['/api/v1/orders/Vq3_9xB2LkTzW8aYcD4eFg', '/api/v1/orders/[hidden]'],
    ['/api/v1/orders/Vq3_9xB2LkTzW8aYcD4eFg/download.zip?x=1', '/api/v1/orders/[hidden]/download.zip?x=1'],
    ['/hawks-soccer/order/Vq3_9xB2LkTzW8aYcD4eFg', '/hawks-soccer/order/[hidden]'],
    ['/api/v1/orders/1234567890123456', '/api/v1/orders/1234567890123456'],
    ['/api/v1/orders/quote', '/api/v1/orders/quote'],
    ['/api/v1/api_token/sideline_wv28hb8lQw-dzxA9?x=1', '/api/v1/api_token/sideline_[hidden]?x=1'],
    ['/x?api_key=sideline_wv28hb8lQw-dzxA9&y=2', '/x?api_key=sideline_[hidden]&y=2'],
    ['/x?secret=whsec_C2FVsBQIhrscChlQIMV/Ab+=', '/x?secret=whsec_[hidden]'],
    ['/hawks/gallery/sideline_news', '/hawks/gallery/sideline_news'],
  ])('%s is logged as %s', (url, logged) => {
    expect(scrubUrl(url)).toBe(logged);
  });
});

describe('the log', () => {
  function written(work: (log: ReturnType<typeof createLog>) => void): string {
    const lines: string[] = [];
    work(
      createLog({
        level: 'info',
        name: 'test',
        pretty: false,
        destination: { write: (line: string) => void lines.push(line) },
      }),
    );
    return lines.join('');
  }

  it.each([
    ['a header', { headers: { authorization: 'Bearer SECRET', cookie: 'token=SECRET' } }],
    ['a field at the top', { password: 'SECRET' }],
    ['a field of a body', { body: { user: { password: 'SECRET', reset_password_token: 'SECRET' } } }],
    ['a card', { body: { stripe_token: 'SECRET', card: { number: 'SECRET', cvc: 'SECRET' } } }],
    ['a secret in a list', { rows: [{ user: { Token: 'SECRET' } }] }],
    ['a contribute key', { body: { contributeKey: 'SECRET' } }],
    [
      'a contributor’s own picture',
      { req: { method: 'GET', url: '/api/v1/galleries/1/gallery_photos/2?v=1.m&own=SECRET' } },
    ],
    ['an address', { req: { method: 'GET', url: '/contributor?contributeKey=SECRET', headers: { cookie: 'SECRET' } } }],
    [
      "a row in a driver's error",
      {
        err: Object.assign(new Error('duplicate key'), {
          detail: 'Key (email)=(SECRET) already exists.',
          code: '23505',
        }),
      },
    ],
    [
      "a row in an error's cause",
      { err: new Error('refused', { cause: Object.assign(new Error('duplicate key'), { detail: 'SECRET' }) }) },
    ],
    ["a row in a job's stored error", { cause: { name: 'error', message: 'duplicate key', detail: 'SECRET' } }],
  ])('hides %s', (_what, fields) => {
    const text = written((log) => log.info(fields, 'something happened'));
    expect(text).toContain('something happened');
    expect(text).not.toContain('SECRET');
  });

  it('keeps what helps to find an error', () => {
    const text = written((log) =>
      log.error(
        { err: Object.assign(new Error('boom'), { code: '23505' }), req: { method: 'GET', url: '/hawks?x=1' } },
        'failed',
      ),
    );
    expect(JSON.parse(text)).toMatchObject({
      name: 'test',
      msg: 'failed',
      err: { message: 'boom', code: '23505' },
      req: { method: 'GET', url: '/hawks?x=1' },
    });
  });
});
