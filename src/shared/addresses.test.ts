import { expect, test } from 'vitest';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';

test.each([
  ['sideline.localhost', 3000, 'lakeside', 'http://lakeside.sideline.localhost:3000/a'],
  ['localhost', 8080, 'www', 'http://www.localhost:8080/a'],
  ['sideline.example', 3000, 'lakeside', 'https://lakeside.sideline.example/a'],
])('below %s at port %i the label %s is %s', (baseDomain, port, label, url) => {
  expect(siteUrl(siteOrigin(baseDomain, port), label, '/a')).toBe(url);
});
