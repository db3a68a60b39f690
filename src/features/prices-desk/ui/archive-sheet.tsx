import { useState } from 'react';
import type { SheetAnswer } from '#src/features/offers/offers.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { api } from '#src/web/api-client.ts';

/** Archives a sheet permanently; galleries that use it sell single photos from then on. */
export function ArchiveSheet({ sheet, onArchived }: { sheet: SheetAnswer; onArchived: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const count = sheet.gallery_count;

  return (
    <>
      <Button variant="secondary" className="self-start" onClick={() => setAsking(true)}>
        Archive this price sheet
      </Button>
      {isAsking && (
        <ConfirmCall
          title="Archive this price sheet?"
          confirmLabel="Archive"
          busy="Archiving..."
          call={() =>
            api('POST /api/v1/price_sheets/{id}/archive', { params: { id: sheet.id }, body: { release: true } })
          }
          onDone={() => {
            setAsking(false);
            onArchived();
          }}
          onCancel={() => setAsking(false)}
        >
          {count === 0
            ? 'No gallery uses it. Orders keep their prices.'
            : `${count === 1 ? 'One gallery uses' : `${count} galleries use`} it and will sell single photos again. Orders keep their prices.`}
        </ConfirmCall>
      )}
    </>
  );
}
