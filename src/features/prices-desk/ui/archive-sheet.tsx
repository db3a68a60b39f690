import { useState } from 'react';
import type { SheetAnswer } from '#src/features/offers/offers.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { api } from '#src/web/api-client.ts';

/** Archives a sheet permanently; galleries that use it sell single photos from then on. */
export function ArchiveSheet({ sheet, onArchived }: { sheet: SheetAnswer; onArchived: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const [isSending, setSending] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const count = sheet.gallery_count;

  async function archive(): Promise<void> {
    setSending(true);
    const answer = await api('POST /api/v1/price_sheets/{id}/archive', {
      params: { id: sheet.id },
      body: { release: true },
    });
    setSending(false);
    if (!answer.ok) return setProblem(answer.error);
    setAsking(false);
    onArchived();
  }

  return (
    <>
      <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
        Archive this price sheet
      </Button>
      <ConfirmDialog
        open={isAsking}
        title="Archive this price sheet?"
        confirmLabel="Archive"
        busy={isSending && 'Archiving...'}
        problem={problem}
        onConfirm={() => void archive()}
        onCancel={() => setAsking(false)}
      >
        {count === 0
          ? 'No gallery uses it. Orders keep their prices.'
          : `${count === 1 ? 'One gallery uses' : `${count} galleries use`} it and will sell single photos again. Orders keep their prices.`}
      </ConfirmDialog>
    </>
  );
}
