import { expect, test } from 'vitest';
import { withoutLinks } from '#src/platform/mail/mail.ts';

test.each([
  ['Your account is locked - visit http://evil.example/login now', 'Your account is locked - visit … now'],
  ['HTTPS://EVIL.EXAMPLE', '…'],
  ['ftp://x y', '… y'],
  ['see www.evil.example', 'see …'],
  ['evil.example/login', '…'],
  ['evil.example:8080/a b', '… b'],
  ['Jean-Luc O’Neil Jr.', 'Jean-Luc O’Neil Jr.'],
  ['St. John / Smith', 'St. John / Smith'],
  ['IMG_0412.jpg', 'IMG_0412.jpg'],
  ['U12 3.5 vs 4', 'U12 3.5 vs 4'],
])('%s becomes %s', (words, expected) => expect(withoutLinks(words)).toBe(expected));
