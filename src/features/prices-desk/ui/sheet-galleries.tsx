import { useState } from 'react';
import { Link } from 'react-router';
import type { NamedGallery } from '#src/features/offers/offers.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';

type SheetGalleriesProps = {
  sheetId: number;
  /** The organization's address. */
  path: string;
  /** The galleries that use it. */
  used: readonly NamedGallery[];
  /** The organization's other galleries. */
  others: readonly NamedGallery[];
  onChanged: () => void;
};

/** The galleries that use the sheet, and a way to add one. */
export function SheetGalleries({ sheetId, path, used, others, onChanged }: SheetGalleriesProps) {
  const [chosen, setChosen] = useState('');
  const [isSending, setSending] = useState(false);
  const gallery = others.find(({ id }) => String(id) === chosen) ?? others[0];

  async function add(): Promise<void> {
    if (!gallery) return;
    setSending(true);
    const answer = await api('PUT /api/v1/galleries/{id}', {
      params: { id: gallery.id },
      body: { gallery: { price_sheet_id: sheetId } },
    });
    setSending(false);
    if (!answer.ok) return void showToast(answer.error, 'error');
    showToast(`${gallery.name} uses this price sheet.`, 'success');
    setChosen('');
    onChanged();
  }

  return (
    <section aria-labelledby="sheet-galleries" className="flex flex-col gap-3">
      <h2 id="sheet-galleries" className="text-lg">
        Galleries
      </h2>
      {used.length === 0 ? (
        <p className="text-sm text-quiet">No gallery uses this price sheet yet.</p>
      ) : (
        <ul aria-label="Galleries with this price sheet" className="flex flex-col">
          {used.map(({ id, name }) => (
            <li key={id} className="border-line not-first:border-t">
              <Link
                to={`/${path}/gallery/${id}/edit?area=settings`}
                className="flex min-h-11 items-center text-sm wrap-anywhere"
              >
                {name}
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <div className="flex flex-wrap items-end gap-3">
          <div className="min-w-48 flex-1">
            <Select
              label="Add a gallery"
              value={String(gallery?.id ?? '')}
              onChange={({ target }) => setChosen(target.value)}
            >
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          </div>
          <Button variant="secondary" busy={isSending && 'Adding...'} onClick={() => void add()}>
            Use here
          </Button>
        </div>
      )}
    </section>
  );
}
