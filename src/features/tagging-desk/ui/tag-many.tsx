import { useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import { actionOf, readCommand, type Answer } from '#src/features/tagging-desk/command.rules.ts';
import { toDeskRoster } from '#src/features/tagging-desk/desk-answers.rules.ts';
import type { DeskRoster, DeskTag } from '#src/features/tagging-desk/desk-model.rules.ts';
import { tagOf, whoWords } from '#src/features/tagging-desk/desk-model.rules.ts';
import type { DeskState } from '#src/features/tagging-desk/desk-session.client.ts';
import { hiddenWords } from '#src/features/tagging-desk/hidden-words.rules.ts';
import { takeBack, tagPhotos } from '#src/features/tagging-desk/tag-photos.client.ts';
import * as words from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { DeskField } from '#src/features/tagging-desk/ui/desk-field.tsx';
import { RosterMatches } from '#src/features/tagging-desk/ui/roster-list.tsx';
import { changePhotos } from '#src/features/photos/photo-calls.client.ts';
import { photosInWords } from '#src/features/photos/photo-grid.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import type { ToastAction } from '#src/ui/toast.ts';
import { api, messagesOf } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

type TagManyProps = {
  galleryId: number;
  ids: readonly number[];
  /** The page that chooses the teams in play. */
  teamsPath: string;
  onClose: () => void;
  /** @param hidden photos that are hidden now @param back undoes it */
  onDone: (news: string, hidden: readonly number[], back: ToastAction | null) => void;
};

type What = 'add' | 'remove';
type Line = Pick<DeskState, 'text' | 'asked' | 'remark'> & { answers: readonly Answer[]; what: What };
const EMPTY: Line = { text: '', asked: null, remark: null, answers: [], what: 'add' };

/** The field of the tagging desk for all selected photos of the editor's grid (athletes B.3 "Tag many"). */
export function TagMany({ galleryId, ids, teamsPath, onClose, onDone }: TagManyProps) {
  const { roster, problems } = useRoster(galleryId);
  return (
    <Dialog open title={`Tag ${photosInWords(ids.length)}`} onClose={onClose}>
      <div className="flex min-h-40 flex-col gap-4 pb-2">
        <ErrorList messages={problems} />
        {roster?.teams.length === 0 && (
          <p>
            <Link to={teamsPath} className="font-semibold underline">
              {words.NO_TEAMS_TITLE}
            </Link>
          </p>
        )}
        {roster && roster.teams.length > 0 && <Typing {...{ galleryId, ids, roster, onDone }} />}
      </div>
    </Dialog>
  );
}

function useRoster(galleryId: number) {
  const [roster, setRoster] = useState<DeskRoster | null>(null);
  const [problems, setProblems] = useState<string[]>([]);
  useLoad(
    galleryId,
    (signal) => api('GET /api/v1/galleries/{id}/teams', { params: { id: galleryId }, signal }),
    (answer) => (answer.ok ? setRoster(toDeskRoster(answer.data)) : setProblems(messagesOf(answer))),
  );
  return { roster, problems };
}

type TypingProps = Pick<TagManyProps, 'galleryId' | 'ids' | 'onDone'> & { roster: DeskRoster };

/** The typed line, its question, and sending it. */
function useLine({ galleryId, ids, roster, onDone }: TypingProps) {
  const [line, setLine] = useState(EMPTY);
  const [busy, setBusy] = useState<What | null>(null);
  const remark = (text: string) => setLine((before) => ({ ...before, asked: null, remark: text, answers: [] }));

  async function hide(): Promise<void> {
    setBusy('add');
    const answer = await changePhotos(galleryId, ids, { show_in_gallery: false });
    setBusy(null);
    if (!answer.ok) return remark(answer.error);
    const updated = answer.data;
    onDone(`${photosInWords(updated)} ${updated === 1 ? 'is' : 'are'} hidden.`, ids, null);
  }

  async function send(tags: readonly DeskTag[], what: What): Promise<void> {
    setBusy(what);
    const { hidden, refused, undo } = await tagPhotos(galleryId, ids, { tags, what });
    setBusy(null);
    const [first] = refused;
    if (first && refused.length === ids.length) return remark(first.error);
    const message = what === 'add' ? words.taggedMany : words.untaggedMany;
    const news = [
      message(whoWords(tags, roster), photosInWords(ids.length - refused.length)),
      ...(first ? [words.leftMany(refused.length, first.error)] : []),
      ...(hidden.length > 0
        ? [
            hiddenWords(
              hidden.map((id) => ({ id, tags })),
              hidden,
              roster,
            ),
          ]
        : []),
    ];
    const changed = new Set(undo.flatMap((change) => change.photo_ids)).size;
    const back = () =>
      void takeBack(galleryId, undo).then(({ left, held }) =>
        onDone(words.takenBack(changed, left, held.length), held, null),
      );
    onDone(news.join(' '), hidden, undo.length === 0 ? null : { label: 'Undo', act: back });
  }

  function read(what: What, answers: readonly Answer[] = []): void {
    const reading = readCommand(line.text, roster, answers);
    // A number that no one wears is removed without a question.
    if (reading.kind === 'confirm' && what === 'remove') return read(what, [...answers, 'yes']);
    if (reading.kind === 'question' || reading.kind === 'confirm')
      return setLine({ ...line, asked: reading, remark: null, answers, what });
    if (reading.kind === 'trouble') return remark(reading.text);
    if (reading.kind === 'nothing') return remark(words.NOBODY_TYPED);
    void (reading.kind === 'hide' ? hide() : send(reading.tags, what));
  }
  const type = (text: string) => setLine({ ...EMPTY, text });
  const answer = (given: Answer) => read(line.what, [...line.answers, given]);
  return { line, busy, type, answer, read, send };
}

function Typing(props: TypingProps) {
  const { ids, roster } = props;
  const field = useRef<HTMLInputElement>(null);
  const { line, busy, type, answer, read, send } = useLine(props);
  // Before the first key can be pressed.
  useLayoutEffect(() => field.current?.focus(), []);
  return (
    <form
      method="dialog"
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        if (line.asked?.kind === 'confirm') answer('yes');
        else read('add');
      }}
    >
      <DeskField
        field={field}
        label={`Who is on ${ids.length === 1 ? 'this photo' : `these ${photosInWords(ids.length)}`}?`}
        state={line}
        hasKeyboard
        onType={type}
        onAnswer={answer}
        onKey={(event) => {
          const action = actionOf(event.nativeEvent, line.text, line.asked);
          if (action?.do !== 'answer' || event.key === 'Enter') return;
          event.preventDefault();
          answer(action.answer);
        }}
      />
      <p className="text-xs text-quiet">{words.TAG_MANY_HINT}</p>
      <RosterMatches
        roster={roster}
        text={line.text}
        photo={null}
        onToggle={(player) => void send([tagOf(player)], 'add')}
      />
      <div className="flex flex-wrap justify-end gap-2">
        <Button
          variant="secondary"
          onClick={() => read('remove')}
          disabled={busy !== null}
          busy={busy === 'remove' && 'Removing...'}
        >
          Remove
        </Button>
        <Button type="submit" disabled={busy !== null} busy={busy === 'add' && 'Tagging...'}>
          Tag
        </Button>
      </div>
    </form>
  );
}
