import { describe, expect, test } from 'vitest';
import { footerLinks } from '#src/web/frame/footer-links.ts';

const LAKESIDE = { name: 'Lakeside Youth Sports', domainName: 'lakeside' };
const site = (socialLinks: readonly string[]) => ({ baseDomain: 'sideline.example', port: 3000, socialLinks });

describe('the links of the footers', () => {
  test('lead to the product on the root’s own host, whatever host shows them', () => {
    expect(footerLinks(site([]), LAKESIDE).productUrl).toBe('https://www.sideline.example/');
  });

  test('name the networks of the addresses that are set', () => {
    const addresses = ['https://www.instagram.com/us', 'https://x.com/us', 'https://social.example/@us'];
    expect(footerLinks(site(addresses), LAKESIDE)).toMatchObject({
      sharesSite: false,
      social: [
        { label: 'Instagram', href: addresses[0] },
        { label: 'X', href: addresses[1] },
        { label: 'social.example', href: addresses[2] },
      ],
    });
  });

  test('share the organization’s home page where none is set', () => {
    const { sharesSite, social } = footerLinks(site([]), LAKESIDE);
    expect(sharesSite).toBe(true);
    expect(social.map(({ label }) => label)).toEqual(['Facebook', 'X', 'Email']);
    for (const { href } of social) expect(decodeURIComponent(href)).toContain('https://lakeside.sideline.example/');
  });
});
