import { useCallback, useRef, useState, type MouseEvent, type RefObject } from 'react';
import { Link } from 'react-router';
import { pressPad, typed, useDeskKeys, useHasPad } from '#src/features/tagging-desk/desk-keys.client.ts';
import { useDesk, type Desk, type DeskStart } from '#src/features/tagging-desk/desk.client.ts';
import {
  speedWords,
  TAGGING_TITLE,
  trayWords,
  type TrayState,
} from '#src/features/tagging-desk/tagging-desk.contract.ts';
import { DeskField, TagsOfPhoto } from '#src/features/tagging-desk/ui/desk-field.tsx';
import { DeskStage } from '#src/features/tagging-desk/ui/desk-stage.tsx';
import { HoldLine } from '#src/features/tagging-desk/ui/hold-line.tsx';
import { KeyHelp, KeyHints } from '#src/features/tagging-desk/ui/key-help.tsx';
import { KeywordNumbers } from '#src/features/tagging-desk/ui/keyword-numbers.tsx';
import { NumberPad } from '#src/features/tagging-desk/ui/number-pad.tsx';
import { PhotoStrip } from '#src/features/tagging-desk/ui/photo-strip.tsx';
import { RosterList, RosterMatches } from '#src/features/tagging-desk/ui/roster-list.tsx';
import { formatCount } from '#src/shared/counted.ts';
import { cx } from '#src/ui/cx.ts';
import { ArrowLeft, CloudOff } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import '#src/features/tagging-desk/ui/tagging-desk.css';

type DeskHead = {
  galleryName: string;
  editorPath: string;
  /** The page that chooses the teams in play. */
  teamsPath: string;
};
type TaggingDeskProps = DeskStart & { head: DeskHead; /** Keywords became tags. */ onTurned: () => void };

/** The whole screen: strip, photo, roster, and the field that always has the focus. */
export function TaggingDesk({ head, onTurned, ...start }: TaggingDeskProps) {
  const { session, state, outbox, take } = useDesk(start);
  const field = useRef<HTMLInputElement>(null);
  useDeskKeys(field, session);
  const photo = session.photo();
  const { roster, galleryId, first } = start;
  // A stable function: sixteen pictures are not rendered again with every key.
  const open = useCallback((photoId: number) => session.open(photoId), [session]);

  return (
    <Main edgeToEdge className="tagging-desk">
      {/* A click beside the field leaves the focus in it. */}
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div className="flex flex-1 flex-col gap-2 p-2 md:gap-3 md:p-3" onMouseDown={keepFocus}>
        <DeskHeader {...head} state={state} outbox={outbox} onTake={() => void take()} />
        <HoldLine galleryId={galleryId} waiting={outbox.waiting} onReleased={() => void session.refresh()} />
        {(first.keyword_numbers ?? 0) > 0 && (
          <KeywordNumbers
            galleryId={galleryId}
            count={first.keyword_numbers ?? 0}
            isOff={outbox.waiting > 0}
            className={cx(TOOL, 'self-start border border-line')}
            onTurned={onTurned}
          />
        )}
        {outbox.trouble !== null && (
          <p role="alert" className="rounded bg-warning-tint px-3 py-2 text-sm text-warning">
            {outbox.trouble}
          </p>
        )}
        {state.notice && (
          <Notice
            place={state.photos.findIndex(({ id }) => id === state.notice?.photoId)}
            text={state.notice.text}
            onOpen={() => session.open(state.notice?.photoId ?? 0)}
            onClose={() => session.closeNotice()}
          />
        )}
        <div className="flex min-h-72 flex-1 gap-2 max-md:min-h-56 max-md:flex-col md:gap-3">
          <PhotoStrip photos={state.photos} place={state.place} bursts={state.bursts} roster={roster} onOpen={open} />
          <DeskStage photos={state.photos} place={state.place} total={state.total} onStep={(by) => session.step(by)} />
          <RosterList roster={roster} text={state.text} photo={photo} onToggle={(player) => session.toggle(player)} />
        </div>
        <TagsOfPhoto photo={photo} roster={roster} onRemove={(tag) => session.remove(tag)} />
        <RosterMatches
          roster={roster}
          // A question has its own answers, and the field needs the space.
          text={state.asked ? '' : state.text}
          photo={photo}
          onToggle={(player) => session.toggle(player)}
          className="md:hidden"
        />
        <Typing session={session} state={state} field={field} />
        <KeyHints />
      </div>
      <p role="status" className="sr-only">
        {state.news}
      </p>
      <KeyHelp open={state.isHelpOpen} onClose={() => session.closeHelp()} />
    </Main>
  );
}

type DeskHeaderProps = DeskHead & Pick<Desk, 'state' | 'outbox'> & { onTake: () => void };

function DeskHeader({ galleryName, editorPath, teamsPath, state, outbox, onTake }: DeskHeaderProps) {
  return (
    <header className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <Link to={editorPath} className={cx(TOOL, 'no-underline')}>
        <ArrowLeft aria-hidden="true" />
        <span className="max-md:sr-only">Gallery</span>
      </Link>
      <h1 className="min-w-0 text-base break-words max-md:sr-only">
        {TAGGING_TITLE} <span className="font-sans text-sm font-normal text-quiet">{galleryName}</span>
      </h1>
      <p className="min-w-0 flex-1 basis-60 text-sm tabular-nums md:text-center">
        {speedWords(state.tagged, state.total, state.perMinute)}
      </p>
      <Tray tagged={state.tagged} {...outbox} />
      <button type="button" className={TOOL} onClick={onTake}>
        Take the next 100
      </button>
      <Link to={teamsPath} className={cx(TOOL, 'no-underline')}>
        Teams
      </Link>
    </header>
  );
}

type TypingProps = Pick<Desk, 'session' | 'state'> & { field: RefObject<HTMLInputElement | null> };

/** The field, the buttons for keys next to it, and the number pad. */
function Typing({ session, state, field }: TypingProps) {
  const hasPad = useHasPad();
  const [wantsLetters, setWantsLetters] = useState(false);
  return (
    <>
      <div className="flex flex-wrap items-end gap-2">
        <DeskField
          field={field}
          state={state}
          hasKeyboard={!hasPad || wantsLetters}
          coversLineAbove
          onType={(text) => typed(session, text)}
          onAnswer={(answer) => session.answer(answer)}
        />
        <div role="group" aria-label="Tools" className="flex flex-wrap gap-1">
          <Tool onPress={() => session.undo()} isOff={!state.mayUndo} name="Undo" />
          <Tool onPress={() => session.say('g')} name="Team picture" />
          <Tool onPress={() => session.say('x')} name="Hide" />
          {hasPad ? (
            <Tool onPress={() => setWantsLetters(!wantsLetters)} name={wantsLetters ? '123' : 'ABC'} />
          ) : (
            <Tool onPress={() => session.act({ do: 'help' })} name="Keys" />
          )}
        </div>
      </div>
      <NumberPad
        onKey={(key) => pressPad(session, key)}
        onNext={() => pressPad(session, 'Enter')}
        onSame={() => session.same()}
        onBurst={() => session.enter(true)}
        onNobody={() => session.nobody()}
      />
    </>
  );
}

const TOOL =
  'inline-flex min-h-11 items-center gap-2 rounded px-3 text-sm font-semibold text-ink hover:bg-surface disabled:opacity-50 pointer-fine:min-h-9 [&_svg]:size-4';

function Tool({ name, isOff = false, onPress }: { name: string; isOff?: boolean; onPress: () => void }) {
  return (
    <button type="button" onClick={onPress} disabled={isOff} className={cx(TOOL, 'border border-line')}>
      {name}
    </button>
  );
}

type NoticeProps = { place: number; text: string; onOpen: () => void; onClose: () => void };

/** A message of the server about an earlier photo. */
function Notice({ place, text, onOpen, onClose }: NoticeProps) {
  return (
    <div role="alert" className="flex flex-wrap items-center gap-2 rounded bg-warning-tint py-1 pr-1 pl-3 text-sm">
      <p className="min-w-0 flex-1 basis-60 text-warning">{text}</p>
      <Tool onPress={onOpen} name={`Show photo ${formatCount(place + 1)}`} />
      <Tool onPress={onClose} name="Close" />
    </div>
  );
}

function Tray({ tagged, waiting, isOffline }: TrayState) {
  const isHere = isOffline && waiting > 0;
  return (
    <>
      <p
        className={cx(
          'flex items-center gap-2 text-sm tabular-nums [&_svg]:size-4',
          isHere ? 'font-semibold text-warning' : 'text-quiet',
        )}
      >
        {isHere && <CloudOff aria-hidden="true" />}
        {trayWords({ tagged, waiting, isOffline })}
      </p>
      {/* Announced once, not with each tag. */}
      <p role="status" className="sr-only">
        {isHere ? 'Offline. Your tags are kept here.' : ''}
      </p>
    </>
  );
}

function keepFocus(event: MouseEvent): void {
  if (event.target instanceof HTMLElement && event.target.closest('button') && !event.target.closest('dialog'))
    event.preventDefault();
}
