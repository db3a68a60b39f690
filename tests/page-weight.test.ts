/** The scripts that a browser must load before a page is interactive (speed P12). */
import { describe, expect, test } from 'vitest';
import { PHOTO_ROUTE } from '#src/features/public-gallery/ui/use-photo-ahead.ts';
import { builtFiles, gzipBytes, PUBLIC_GALLERY, scriptsOf } from '#tests/support/page-scripts.ts';

describe('the scripts of', () => {
  test.each([
    ['the public gallery', PUBLIC_GALLERY, 139_400, 9],
    ['a photo opened from a link', [...PUBLIC_GALLERY, PHOTO_ROUTE], 147_600, 11],
    ['an affiliate’s home', ['root', 'affiliate', 'features/home/affiliate-home.page'], 140_400, 13],
    ['the home page', ['root', 'features/marketing/home.page'], 139_000, 16],
    ['the form for an expert', ['root', 'features/marketing/talk-to-expert.page'], 140_600, 11],
    ['the checkout', ['root', 'affiliate', 'features/checkout/checkout.page'], 169_800, 23],
    ['the gallery editor', ['root', 'affiliate', 'features/gallery-editor/edit-gallery.page'], 204_800, 25],
  ])('%s weigh less than their limit, in few files', (_page, routes, maxBytes, maxFiles) => {
    const scripts = scriptsOf(routes);
    expect(scripts.size).toBeGreaterThan(5);
    expect(scripts.size).toBeLessThanOrEqual(maxFiles);
    expect(gzipBytes(scripts)).toBeLessThanOrEqual(maxBytes);
  });

  test('of public pages contain no schema library', () => {
    expect(builtFiles().some((file) => file.startsWith('schemas-'))).toBe(true);
    for (const page of [
      'features/public-gallery/public-gallery.page',
      PHOTO_ROUTE,
      'features/home/affiliate-home.page',
      'features/marketing/home.page',
      'features/marketing/pricing.page',
      'features/marketing/user-agreement.page',
    ]) {
      expect([...scriptsOf(['root', 'affiliate', page])].filter((address) => address.includes('/schemas-'))).toEqual(
        [],
      );
    }
  });
});
