/** Above the photos of a gallery: new ones are held, because an athlete of its teams must not be published. */
import { useState } from 'react';
import { noneInThese, showThese, TAG_NOW, type HoldAnswer } from '#src/features/consent/consent.contract.ts';
import { confirmNone } from '#src/features/consent/hold.client.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';

type HoldBannerProps = {
  galleryId: number;
  hold: HoldAnswer;
  /** The affiliate's path. */
  path: string;
  onReleased: () => void;
};

export function HoldBanner({ galleryId, hold, path, onReleased }: HoldBannerProps) {
  if (hold.text === null) return null;
  return (
    <Notice tone="warning">
      <p className="text-pretty">{hold.text}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <LinkButton to={`/${path}/gallery/${galleryId}/tag`} size="small">
          {TAG_NOW}
        </LinkButton>
        <NoneButton galleryId={galleryId} hold={hold} onReleased={onReleased} />
      </div>
    </Notice>
  );
}

/** "None of them is in these 40", while photos are held. */
export function NoneButton({ galleryId, hold, onReleased }: Omit<HoldBannerProps, 'path'>) {
  const [isSending, setSending] = useState(false);
  const { photos, athletes } = hold;

  async function confirm(): Promise<void> {
    setSending(true);
    const isReleased = await confirmNone(galleryId, hold);
    setSending(false);
    if (isReleased) onReleased();
  }

  return (
    <Button variant="secondary" size="small" busy={isSending && 'Saving...'} onClick={() => void confirm()}>
      {athletes === 0 ? showThese(photos) : noneInThese(photos)}
    </Button>
  );
}
