import { useState } from 'react';
import type { CardLayout, Paper } from '#src/features/families/cards.contract.ts';
import type { TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Select } from '#src/ui/form/select.tsx';
import { Pencil } from '#src/ui/icon.tsx';

const LAYOUTS: { layout: CardLayout; label: string }[] = [
  { layout: 'wallet', label: 'Print cards' },
  { layout: 'photo_day', label: 'Photo day cards' },
  { layout: 'blank', label: 'Blank cards' },
];
const PAPERS: { paper: Paper; label: string }[] = [
  { paper: 'letter', label: 'US letter' },
  { paper: 'a4', label: 'A4' },
];

type TeamToolsProps = { team: TeamAnswer; onEdit: () => void; onIncluded: () => void };

/** PDF files of one team's cards (printing creates a card for everyone without one), its included photos, and its name. */
export function TeamTools({ team, onEdit, onIncluded }: TeamToolsProps) {
  const [paper, setPaper] = useState('letter');
  return (
    <div className="flex flex-wrap items-end gap-2">
      {LAYOUTS.map(({ layout, label }) => (
        <a
          key={layout}
          href={`/api/v1/teams/${team.id}/cards.pdf?layout=${layout}&paper=${paper}`}
          target="_blank"
          rel="noreferrer"
          className={buttonStyle({ variant: 'secondary' })}
        >
          {label}
        </a>
      ))}
      <div className="w-[9rem]">
        <Select label="Paper" value={paper} onChange={(event) => setPaper(event.target.value)}>
          {PAPERS.map((each) => (
            <option key={each.paper} value={each.paper}>
              {each.label}
            </option>
          ))}
        </Select>
      </div>
      <Button variant="quiet" onClick={onIncluded}>
        Included photos
      </Button>
      <Button variant="quiet" onClick={onEdit}>
        <Pencil aria-hidden="true" />
        Edit team
      </Button>
    </div>
  );
}
