import { useState, type FormEvent } from 'react';
import type { CardAnswer } from '#src/features/families/cards.contract.ts';
import { PaperChoice } from '#src/features/roster-desk/ui/paper-choice.tsx';
import { CONSENT_WORDS } from '#src/features/roster/roster-words.rules.ts';
import type { AthleteAnswer } from '#src/features/roster/roster.contract.ts';
import { counted } from '#src/shared/counted.ts';
import { Button } from '#src/ui/button.tsx';
import { buttonStyle } from '#src/ui/button-style.ts';
import { ConfirmDialog } from '#src/ui/confirm-dialog.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

type CardsDialogProps = {
  athlete: AthleteAnswer;
  name: string;
  onClose: () => void;
  onChanged: (athlete: AthleteAnswer) => void;
};

/** What a new card replaces: one card, or nothing if a second household gets its own. */
type NewCard = { replaces: number | null; code?: string };

/**
 * The cards of one athlete: replaces a card that is in the wrong hands, adds one for a second household, and assigns blank
 * ones.
 */
export function CardsDialog({ athlete, name, onClose, onChanged }: CardsDialogProps) {
  const { cards, problems, isSending, make } = useCards(athlete.id, onChanged);
  const [ending, setEnding] = useState<CardAnswer | null>(null);
  const [entry] = athlete.entries;
  const [paper, setPaper] = useState('letter');
  return (
    <Dialog open title={`Cards of ${name}`} onClose={onClose}>
      <div className="flex flex-col gap-5 pb-2">
        <ErrorList messages={problems} heading="No card was created:" />
        <p className="text-sm text-pretty text-quiet">
          Anyone who has a card can open the family page of {name} with it. A new card replaces the old one.
        </p>
        {cards && cards.length > 0 && (
          <ul aria-label="Cards" className="divide-y divide-line rounded-lg border border-line">
            {cards.map((card) => (
              <li key={card.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 p-3">
                <span className="min-w-0 grow">
                  <b className="block font-display text-lg tracking-wider">{card.code}</b>
                  <span className="text-sm text-quiet">{stateOf(card)}</span>
                </span>
                <Button variant="secondary" disabled={isSending} onClick={() => setEnding(card)}>
                  New card<span className="sr-only"> in the place of {card.code}</span>
                </Button>
              </li>
            ))}
          </ul>
        )}
        {cards && (
          <div className="flex flex-wrap items-end gap-2">
            <Button variant="secondary" busy={isSending && 'Creating...'} onClick={() => void make({ replaces: null })}>
              {cards.length === 0 ? 'Create a card' : 'Card for another household'}
            </Button>
            {entry && cards.length > 0 && (
              <>
                <a
                  href={`/api/v1/teams/${entry.team_id}/cards.pdf?athlete=${athlete.id}&paper=${paper}`}
                  target="_blank"
                  rel="noreferrer"
                  className={buttonStyle({ variant: 'secondary' })}
                >
                  {cards.length === 1 ? 'Print this card' : 'Print these cards'}
                </a>
                <PaperChoice paper={paper} onChoose={setPaper} />
              </>
            )}
          </div>
        )}
        {cards && <BlankCard isSending={isSending} onFill={(code) => make({ replaces: null, code })} />}
      </div>
      <ConfirmDialog
        open={ending !== null}
        title={`New card for ${name}?`}
        confirmLabel="Create a new card"
        busy={isSending && 'Creating...'}
        onConfirm={() => void make({ replaces: ending?.id ?? null }).then(() => setEnding(null))}
        onCancel={() => setEnding(null)}
      >
        The card {ending?.code} will stop working, also where it was opened before. If its family used it to allow
        photos, that no longer counts.
      </ConfirmDialog>
    </Dialog>
  );
}

/** "Opened on 2 devices, answer: ✕ No". Of several cards the strictest answer applies. */
function stateOf({ devices, consent }: CardAnswer): string {
  const opened = devices === 0 ? 'Not opened yet' : `Opened on ${counted(devices, 'device', 'devices')}`;
  return consent ? `${opened}, answer: ${CONSENT_WORDS[consent]}` : opened;
}

/** Valid cards, null until they are loaded. */
function useCards(athleteId: number, onChanged: (athlete: AthleteAnswer) => void) {
  const [cards, setCards] = useState<readonly CardAnswer[] | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  const [isSending, setSending] = useState(false);
  useLoad(
    athleteId,
    (signal) => api('GET /api/v1/athletes/{id}/cards', { params: { id: athleteId }, signal }),
    (answer) => (answer.ok ? setCards(answer.data.cards) : setProblems(messagesOf(answer))),
  );

  /** @returns whether it was created */
  async function make(body: NewCard): Promise<boolean> {
    setSending(true);
    const answer = await api('POST /api/v1/athletes/{id}/cards', { params: { id: athleteId }, body });
    setSending(false);
    setProblems(answer.ok ? [] : messagesOf(answer));
    if (!answer.ok) return false;
    setCards(answer.data.cards);
    showToast(body.code === undefined ? 'The new card was created' : 'The blank card was assigned', 'success');
    // A revoked card takes its consent with it.
    const now = await api('GET /api/v1/athletes/{id}', { params: { id: athleteId } });
    if (now.ok) onChanged(now.data);
    return true;
  }
  return { cards, problems, isSending, make };
}

type BlankCardProps = { isSending: boolean; onFill: (code: string) => Promise<boolean> };

/** Assigns a blank card that was handed out to this athlete. */
function BlankCard({ isSending, onFill }: BlankCardProps) {
  const [code, setCode] = useState('');
  async function fill(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (await onFill(code.trim())) setCode('');
  }
  return (
    <form method="dialog" onSubmit={(event) => void fill(event)} className="flex flex-wrap items-end gap-2">
      <div className="min-w-48 grow">
        <TextField
          label="Code of a blank card that this family has"
          value={code}
          onChange={(event) => setCode(event.target.value)}
          placeholder="K7M3P-9QX2T"
          autoCapitalize="characters"
          autoComplete="off"
          spellCheck={false}
          maxLength={40}
        />
      </div>
      <Button type="submit" variant="secondary" disabled={code.trim() === '' || isSending}>
        Assign card
      </Button>
    </form>
  );
}
