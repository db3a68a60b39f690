import { useEffect, useState, type ReactNode } from 'react';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import {
  embedCode,
  galleryLinks,
  MESSENGERS,
  networkAddress,
  NETWORKS,
  qrCardPath,
  type Network,
} from '#src/features/sharing/gallery-share.rules.ts';
import { CARD_PURPOSES, type CardPurpose } from '#src/features/sharing/qr-card.contract.ts';
import { CARD_HEIGHT, CARD_WIDTH, galleryCardPath, organizationNameCardPath } from '#src/shared/share-card-paths.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Link2, Share } from '#src/ui/icon.tsx';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { useInBrowser } from '#src/ui/use-in-browser.ts';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { codePath, QUIET_MODULES } from '#src/features/sharing/qr-card.rules.ts';

const NETWORK_NAMES: Record<Network, string> = {
  text: 'Text message',
  whatsapp: 'WhatsApp',
  email: 'Email',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  twitter: 'Twitter (X)',
};

const CARD_NAMES: Record<CardPurpose, string> = {
  gallery: 'Card for the gallery',
  unlock: 'Card that opens it without the password',
  contribute: 'Card for contributors',
};

type SharedGallery = Pick<
  GalleryAnswer,
  | 'id'
  | 'name'
  | 'organizationName'
  | 'organization_id'
  | 'unlock_key'
  | 'contribute_key'
  | 'is_private'
  | 'password_required'
  | 'photo_count'
  | 'updated_at'
>;

type ShareAreaProps = {
  gallery: SharedGallery;
  /** The affiliate's domain name. */
  path: string;
  /** Scheme and host of the organization. */
  site: string;
};

/** Every way to share a gallery, the link that families need first: for a locked gallery the one that opens it. */
export function ShareArea({ gallery, path, site }: ShareAreaProps) {
  const links = galleryLinks(site, path, gallery);
  const title = `${gallery.name} · ${gallery.organizationName}`;
  const isLocked = links.unlock !== null;
  const first = links.unlock ?? links.gallery;
  return (
    <div className="flex flex-col gap-6">
      <Part title="Share this gallery">
        {isLocked && <p className="text-sm text-quiet">{UNLOCK_HELP}</p>}
        {isLocked ? (
          <Copied label="Unlock link" text={first} copy="Copy unlock link" />
        ) : (
          <Copied label="Link to the gallery" text={first} copy="Copy link" />
        )}
        <NativeShare address={first} title={title} />
        <NetworkLinks networks={MESSENGERS} address={first} title={title} />
        <QrCode address={first} label={`Code that opens ${gallery.name}`} />
      </Part>
      {isLocked && (
        <Part title="Link that asks for the password">
          <Copied label="Link to the gallery" text={links.gallery} copy="Copy link" />
        </Part>
      )}
      <Part title="Post it">
        <SharedLook gallery={gallery} site={site} />
        {isLocked && <p className="text-sm text-quiet">Posts include the link that asks for the password.</p>}
        <NetworkLinks networks={NETWORKS} address={links.gallery} title={title} />
      </Part>
      <Part title="To print">
        <p className="text-sm text-quiet">A page with a QR code to post at the event.</p>
        <ul className="flex flex-col gap-2">
          {(isLocked ? PURPOSES_OF_LOCKED : CARD_PURPOSES)
            .filter((purpose) => links[purpose] !== null)
            .map((purpose) => (
              <li key={purpose}>
                <a href={qrCardPath(gallery.id, purpose)} target="_blank" rel="noopener" className={WIDE_LINK}>
                  {CARD_NAMES[purpose]}
                </a>
              </li>
            ))}
        </ul>
      </Part>
      <Part title="On your own website">
        <p className="text-sm text-quiet">Paste this code where the gallery should appear.</p>
        <textarea
          readOnly
          aria-label="Embed code"
          rows={4}
          value={embedCode(links, title)}
          onFocus={(event) => event.target.select()}
          className={`${CONTROL} font-mono text-xs break-all`}
        />
        <CopyButton text={embedCode(links, title)}>Copy embed code</CopyButton>
      </Part>
    </div>
  );
}

const UNLOCK_HELP = 'Opens this gallery without its password. It works until you change the password.';
const PURPOSES_OF_LOCKED: readonly CardPurpose[] = ['unlock', 'gallery', 'contribute'];
const WIDE_LINK = buttonStyle({ variant: 'secondary', size: 'small', className: 'w-full' });

/** Plain links: no script of a network runs here. */
function NetworkLinks({ networks, address, title }: { networks: readonly Network[]; address: string; title: string }) {
  return (
    <ul className="flex flex-wrap gap-2">
      {networks.map((network) => (
        <li key={network} className="grow basis-[9rem]">
          <a
            href={networkAddress(network, { address, title })}
            target="_blank"
            rel="noopener noreferrer"
            className={WIDE_LINK}
          >
            {NETWORK_NAMES[network]}
          </a>
        </li>
      ))}
    </ul>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="flex flex-col gap-3 border-t border-line pt-5 first:border-t-0 first:pt-0">
      <h3 className="text-base font-bold">{title}</h3>
      {children}
    </section>
  );
}

/** An address to read, to select by hand, and to copy. */
function Copied({ label, text, copy }: { label: string; text: string; copy: string }) {
  return (
    <div className="flex flex-col gap-2">
      <input
        readOnly
        aria-label={label}
        value={text}
        onFocus={(event) => event.target.select()}
        className={`${CONTROL} bg-sunken text-sm`}
      />
      <CopyButton text={text}>{copy}</CopyButton>
    </div>
  );
}

/** The preview of the shared link: the networks load this picture. */
function SharedLook({ gallery, site }: { gallery: SharedGallery; site: string }) {
  const isListed = !gallery.is_private && !gallery.password_required;
  const facts = [gallery.name, gallery.updated_at, String(gallery.photo_count)];
  return (
    <figure className="overflow-hidden rounded border border-line">
      <img
        src={
          isListed
            ? galleryCardPath(gallery.id, null, facts)
            : organizationNameCardPath(gallery.organization_id, [gallery.organizationName])
        }
        alt="How the link looks where it is shared"
        width={CARD_WIDTH}
        height={CARD_HEIGHT}
        loading="lazy"
        className="h-auto w-full bg-sunken"
      />
      <figcaption className="border-t border-line px-3 py-2 text-xs text-quiet">
        <strong className="block truncate text-sm text-ink">{gallery.name}</strong>
        {isListed ? new URL(site).host : 'Private and locked galleries show your name instead of a photo.'}
      </figcaption>
    </figure>
  );
}

/** The phone's own share dialog, if there is one. */
function NativeShare({ address, title }: { address: string; title: string }) {
  const isThere = useInBrowser(() => typeof navigator.share === 'function');
  if (!isThere) return null;
  return (
    <Button
      onClick={() => {
        // Closing the dialog is not a failure.
        void navigator.share({ title, url: address }).catch(() => undefined);
      }}
    >
      <Share aria-hidden="true" />
      Share
    </Button>
  );
}

/** Copies a text to the clipboard, and shows whether it worked. */
function CopyButton({ text, children }: { text: string; children: string }) {
  return (
    <Button variant="secondary" size="small" className="self-start" onClick={() => void copyText(text)}>
      <Link2 aria-hidden="true" />
      {children}
    </Button>
  );
}

/** A QR code, drawn here; its library loads with the first one. Empty until then, at its full height. */
function QrCode({ address, label }: { address: string; label: string }) {
  const [code, setCode] = useState<{ size: number; path: string } | null>(null);
  useEffect(() => {
    let isGone = false;
    const draw = async () => {
      const { default: qrcode } = await import('qrcode');
      const { modules } = qrcode.create(address, { errorCorrectionLevel: 'M' });
      const path = codePath({ size: modules.size, isDark: (row, column) => modules.get(row, column) === 1 });
      if (!isGone) setCode({ size: modules.size, path });
    };
    // Offline: the link next to it has the same address.
    draw().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [address]);
  const side = (code?.size ?? 0) + 2 * QUIET_MODULES;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-QUIET_MODULES} ${-QUIET_MODULES} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="mx-auto aspect-square w-48 rounded border border-line bg-white"
    >
      {code && <path d={code.path} fill="#000" />}
    </svg>
  );
}
