/** The links of a gallery, and the formats that other sites need (specification A§2, "Gallery editor"; rule 41). */
import type { CardPurpose } from '#src/features/sharing/qr-card.contract.ts';
import { galleryPath, unlockLinkPath } from '#src/features/galleries/gallery-link.rules.ts';
import { escapeMarkup } from '#src/shared/markup.ts';

/** Absolute addresses of one gallery. */
type GalleryLinks = {
  /** {orgDomain}.{host}/{affiliateDomain}/gallery/{id} */
  gallery: string;
  publicView: string;
  /** Opens the gallery without asking for its password; null without one. */
  unlock: string | null;
  /** Null without an invite link. */
  contribute: string | null;
};

type Shared = { id: number; unlock_key: string | null; contribute_key: string | null };

/** @param site scheme and host of the organization, from configuration (rule 11); `affiliate` is its domain name */
export function galleryLinks(site: string, affiliate: string, gallery: Shared): GalleryLinks {
  const address = `${site}${galleryPath({ affiliate, galleryId: gallery.id })}`;
  const { unlock_key: unlock, contribute_key: contribute } = gallery;
  return {
    gallery: address,
    publicView: `${address}?publicView=true`,
    unlock: unlock === null ? null : `${site}${unlockLinkPath({ affiliate, galleryId: gallery.id }, unlock)}`,
    contribute:
      contribute === null ? null : `${site}/contributor?${new URLSearchParams({ contributeKey: contribute })}`,
  };
}

/** For people the sender knows: they may get the link that opens a locked gallery. */
export const MESSENGERS = ['text', 'whatsapp', 'email'] as const;
/** Public: a link that opens a locked gallery is not posted there. */
export const NETWORKS = ['facebook', 'linkedin', 'twitter'] as const;
export type Network = (typeof MESSENGERS | typeof NETWORKS)[number];

/** The networks' own share pages: plain links, without their scripts. */
export function networkAddress(network: Network, { address, title }: { address: string; title: string }): string {
  const text = encodeURIComponent(`${title} ${address}`);
  // The question mark makes phones of both kinds accept the text.
  if (network === 'text') return `sms:?&body=${text}`;
  if (network === 'whatsapp') return `https://wa.me/?text=${text}`;
  if (network === 'email')
    return `mailto:?subject=${encodeURIComponent(title)}&body=${encodeURIComponent(`${title}\n${address}`)}`;
  if (network === 'facebook')
    return `https://www.facebook.com/sharer/sharer.php?${new URLSearchParams({ u: address })}`;
  if (network === 'linkedin')
    return `https://www.linkedin.com/sharing/share-offsite/?${new URLSearchParams({ url: address })}`;
  return `https://twitter.com/intent/tweet?${new URLSearchParams({ url: address, text: title })}`;
}

type Size = { width: number | '100%'; height: number };

/** For another site's page: the gallery's public view, the only page that may be framed (rule 41). */
export function embedCode(
  links: Pick<GalleryLinks, 'publicView'>,
  title: string,
  { width, height }: Size = { width: '100%', height: 720 },
): string {
  return `<iframe src="${escapeMarkup(links.publicView)}" title="${escapeMarkup(title)}" width="${width}" height="${height}" style="border:0" loading="lazy"></iframe>`;
}

export function qrCardPath(galleryId: number, purpose: CardPurpose): string {
  return `/api/v1/galleries/${galleryId}/qr-card.pdf?for=${purpose}`;
}
