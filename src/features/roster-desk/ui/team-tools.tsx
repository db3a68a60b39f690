import { useState } from 'react';
import type { CardLayout } from '#src/features/families/cards.contract.ts';
import { PaperChoice } from '#src/features/roster-desk/ui/paper-choice.tsx';
import type { TeamAnswer } from '#src/features/roster/roster.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Pencil } from '#src/ui/icon.tsx';

const LAYOUTS: { layout: CardLayout; label: string }[] = [
  { layout: 'wallet', label: 'Print cards' },
  { layout: 'photo_day', label: 'Photo day cards' },
  { layout: 'blank', label: 'Blank cards' },
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
      <PaperChoice paper={paper} onChoose={setPaper} />
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
