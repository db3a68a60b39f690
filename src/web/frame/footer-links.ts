/** Where the footers lead, made from configuration and the organization of the host. */
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { siteOrigin, siteUrl } from '#src/shared/addresses.ts';

type SocialLink = { label: string; href: string };

export type FooterLinks = {
  /** The product's own home, on the root's host. */
  productUrl: string;
  social: SocialLink[];
  /** True: the links share this site, because no social network pages are configured. */
  sharesSite: boolean;
};

type Site = { baseDomain: string; port: number; socialLinks: readonly string[] };

const NETWORKS: Record<string, string> = {
  'facebook.com': 'Facebook',
  'instagram.com': 'Instagram',
  'linkedin.com': 'LinkedIn',
  'pinterest.com': 'Pinterest',
  'threads.net': 'Threads',
  'tiktok.com': 'TikTok',
  'twitter.com': 'X',
  'x.com': 'X',
  'youtube.com': 'YouTube',
};

/** The site's own pages on social networks; if none are set, links that share this host's home. */
export function footerLinks(site: Site, organization: Pick<Organization, 'name' | 'domainName'>): FooterLinks {
  const origin = siteOrigin(site.baseDomain, site.port);
  const sharesSite = site.socialLinks.length === 0;
  return {
    productUrl: siteUrl(origin, 'www', '/'),
    sharesSite,
    social: sharesSite
      ? shareLinks(organization.name, siteUrl(origin, organization.domainName, '/'))
      : site.socialLinks.map((href) => ({ label: networkOf(href), href })),
  };
}

/** "Instagram" for `https://www.instagram.com/us`; the host itself for networks that we do not know. */
function networkOf(href: string): string {
  const host = new URL(href).hostname.replace(/^(www|m)\./, '');
  return NETWORKS[host] ?? host;
}

function shareLinks(name: string, address: string): SocialLink[] {
  const [url, text] = [encodeURIComponent(address), encodeURIComponent(`Photo galleries of ${name}`)];
  return [
    { label: 'Facebook', href: `https://www.facebook.com/sharer/sharer.php?u=${url}` },
    { label: 'X', href: `https://x.com/intent/post?url=${url}&text=${text}` },
    { label: 'Email', href: `mailto:?subject=${text}&body=${url}` },
  ];
}
