import { describe, expect, test } from 'vitest';
import { embedCode, galleryLinks, networkAddress } from '#src/features/sharing/gallery-share.rules.ts';

const SITE = 'https://lakeside.sideline.test';
const gallery = { id: 7, unlock_key: null, contribute_key: null };

describe('the links of a gallery', () => {
  test('follow the specification’s pattern', () => {
    expect(galleryLinks(SITE, 'hawks', gallery)).toEqual({
      gallery: `${SITE}/hawks/gallery/7`,
      publicView: `${SITE}/hawks/gallery/7?publicView=true`,
      unlock: null,
      contribute: null,
    });
  });

  test('contain the keys if there are any', () => {
    const links = galleryLinks(SITE, 'hawks', { ...gallery, unlock_key: 'a+b', contribute_key: 'c_d' });
    expect(links.unlock).toBe(`${SITE}/hawks/gallery/7?key=a%2Bb`);
    expect(links.contribute).toBe(`${SITE}/contributor?contributeKey=c_d`);
  });

  test.each([
    ['text', 'sms:?&body=Cup%20%26%20Final%20https%3A%2F%2Fa.test%2F%3Fb%3D1'],
    ['whatsapp', 'https://wa.me/?text=Cup%20%26%20Final%20https%3A%2F%2Fa.test%2F%3Fb%3D1'],
    ['email', 'mailto:?subject=Cup%20%26%20Final&body=Cup%20%26%20Final%0Ahttps%3A%2F%2Fa.test%2F%3Fb%3D1'],
    ['facebook', 'https://www.facebook.com/sharer/sharer.php?u=https%3A%2F%2Fa.test%2F%3Fb%3D1'],
    ['linkedin', 'https://www.linkedin.com/sharing/share-offsite/?url=https%3A%2F%2Fa.test%2F%3Fb%3D1'],
    ['twitter', 'https://twitter.com/intent/tweet?url=https%3A%2F%2Fa.test%2F%3Fb%3D1&text=Cup+%26+Final'],
  ] as const)('are passed to %s by a plain address', (network, address) => {
    expect(networkAddress(network, { address: 'https://a.test/?b=1', title: 'Cup & Final' })).toBe(address);
  });

  test('are in an embed code that names cannot break', () => {
    const code = embedCode(galleryLinks(SITE, 'hawks', gallery), `"><script>alert('x')</script>`);
    expect(code).toContain(`src="${SITE}/hawks/gallery/7?publicView=true"`);
    expect(code).toContain('title="&quot;&gt;&lt;script&gt;alert(&apos;x&apos;)&lt;/script&gt;"');
  });
});
