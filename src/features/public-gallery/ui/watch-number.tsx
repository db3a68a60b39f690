import { useState } from 'react';
import { useNumberOffers } from '#src/features/public-gallery/ui/use-number-offers.ts';
import { WatchForm } from '#src/features/watches/ui/watch-form.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Select } from '#src/ui/form/select.tsx';

type WatchNumberProps = { galleryId: number; keyword: string; title: string; onClose: () => void };

/** The team, if there are several, and the address. */
export function WatchNumber({ galleryId, keyword, title, onClose }: WatchNumberProps) {
  const offers = useNumberOffers(galleryId, keyword);
  const [chosen, setChosen] = useState<number | null>(null);
  const teams = offers?.teams ?? [];
  const team = teams.find(({ id }) => id === chosen) ?? teams[0];
  return (
    <Dialog open title={title} onClose={onClose}>
      <div className="flex flex-col gap-4 pb-3">
        {offers === null && <p className="text-sm text-quiet">Loading...</p>}
        {offers !== null && (offers.number === null || !team) && <p>No one can watch this number now.</p>}
        {teams.length > 1 && (
          <Select label="Team" value={team?.id} onChange={(event) => setChosen(Number(event.target.value))}>
            {teams.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </Select>
        )}
        {offers?.number && team && <WatchForm key={team.id} target={{ team_id: team.id, number: offers.number }} />}
      </div>
    </Dialog>
  );
}
