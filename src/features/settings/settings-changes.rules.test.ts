import { expect, test } from 'vitest';
import { settingsChange } from '#src/features/settings/settings.rules.ts';

const KEPT = {
  name: 'Hawks',
  default_photo_price_cents: 200,
  logo_key: 'pictures/1/aaa',
  watermark_key: null,
  home_image_key: 'pictures/1/bbb',
  billing_city: null,
  tax_id: '12-3456789',
  domain_name: 'hawks',
};

test('only changed values are logged, prices as prices and pictures without their content', () => {
  expect(
    settingsChange(KEPT, {
      name: 'Hawks FC',
      default_photo_price_cents: 350,
      logo_key: 'pictures/1/ccc',
      watermark_key: 'pictures/1/ddd',
      home_image_key: null,
      billing_city: 'Duluth',
      tax_id: '12-3456789',
    }),
  ).toEqual({
    before: {
      name: 'Hawks',
      default_photo_price: '$2.00',
      logo: 'a picture',
      watermark: null,
      home_image: 'a picture',
      billing_city: null,
    },
    after: {
      name: 'Hawks FC',
      default_photo_price: '$3.50',
      logo: 'another picture',
      watermark: 'a picture',
      home_image: null,
      billing_city: 'Duluth',
    },
  });
});

test('an unchanged value is not logged, and a change with its own entry is not logged twice', () => {
  expect(settingsChange(KEPT, { name: 'Hawks', billing_city: null })).toBeNull();
  const path: Record<string, string> = { domain_name: 'hawks-fc' };
  expect(settingsChange(KEPT, path)).toBeNull();
});
