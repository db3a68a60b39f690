import { PAPERS, type Paper } from '#src/features/families/cards.contract.ts';
import { Select } from '#src/ui/form/select.tsx';

const NAMES: Record<Paper, string> = { letter: 'US letter', a4: 'A4' };

type PaperChoiceProps = { paper: string; onChoose: (paper: string) => void };

/** The paper on which cards are printed. */
export function PaperChoice({ paper, onChoose }: PaperChoiceProps) {
  return (
    <div className="w-[9rem]">
      <Select label="Paper" value={paper} onChange={(event) => onChoose(event.target.value)}>
        {PAPERS.map((each) => (
          <option key={each} value={each}>
            {NAMES[each]}
          </option>
        ))}
      </Select>
    </div>
  );
}
