import { useState } from 'react';
import { keywordsToTurn, keywordsTurned } from '#src/features/tagging/tagging.contract.ts';
import { Spinner } from '#src/ui/spinner.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';

type KeywordNumbersProps = {
  galleryId: number;
  count: number;
  /** While tags of this window are unsaved. */
  isOff: boolean;
  className: string;
  onTurned: () => void;
};

/** Turns keywords that are numbers into tags (athletes B.6), one call after another; then the desk reloads. */
export function KeywordNumbers({ galleryId, count, isOff, className, onTurned }: KeywordNumbersProps) {
  const [isBusy, setBusy] = useState(false);
  async function turn(): Promise<void> {
    setBusy(true);
    let tagged = 0;
    for (;;) {
      const answer = await api('POST /api/v1/galleries/{id}/tagging/keywords', { params: { id: galleryId } });
      if (!answer.ok) showToast(answer.error, 'error');
      tagged += answer.ok ? answer.data.tagged : 0;
      if (answer.ok && answer.data.more) continue;
      if (answer.ok) showToast(keywordsTurned(tagged, answer.data.left), 'success');
      break;
    }
    setBusy(false);
    if (tagged > 0) onTurned();
  }
  return (
    <button type="button" className={className} disabled={isBusy || isOff} onClick={() => void turn()}>
      {isBusy && <Spinner />}
      {keywordsToTurn(count)}
    </button>
  );
}
