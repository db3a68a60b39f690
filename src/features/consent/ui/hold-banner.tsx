/** Above the photos of a gallery: new ones wait, because somebody on its teams must not be published. */
import { useState } from 'react';
import { heldReleased, noneInThese, TAG_NOW, type HoldAnswer } from '#src/features/consent/consent.contract.ts';
import { api } from '#src/web/api-client.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { showToast } from '#src/ui/toast.ts';

type HoldBannerProps = {
  galleryId: number;
  hold: HoldAnswer;
  /** Of the affiliate. */
  path: string;
  onReleased: () => void;
};

export function HoldBanner({ galleryId, hold, path, onReleased }: HoldBannerProps) {
  const [isSending, setSending] = useState(false);
  const { text, photos, through } = hold;
  if (text === null || through === null) return null;

  async function say(looked: string): Promise<void> {
    setSending(true);
    const answer = await api('POST /api/v1/galleries/{id}/hold/none', {
      params: { id: galleryId },
      body: { through: looked },
    });
    setSending(false);
    if (!answer.ok) return void showToast(answer.error, 'error');
    showToast(heldReleased(answer.data.released), 'success');
    onReleased();
  }

  return (
    <Notice tone="warning">
      <p className="text-pretty">{text}</p>
      <div className="mt-3 flex flex-wrap gap-3">
        <LinkButton to={`/${path}/gallery/${galleryId}/tag`} size="small">
          {TAG_NOW}
        </LinkButton>
        <Button variant="secondary" size="small" busy={isSending && 'Saving...'} onClick={() => void say(through)}>
          {noneInThese(photos)}
        </Button>
      </div>
    </Notice>
  );
}
