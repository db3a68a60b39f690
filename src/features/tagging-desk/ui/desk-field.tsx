import { useId, type KeyboardEvent, type RefObject } from 'react';
import type { DeskState } from '#src/features/tagging-desk/desk-session.client.ts';
import {
  isHidden,
  keyOfTag,
  tagWords,
  type DeskPhoto,
  type DeskRoster,
  type DeskTag,
} from '#src/features/tagging-desk/desk-model.rules.ts';
import { cx } from '#src/ui/cx.ts';
import { EyeOff, X } from '#src/ui/icon.tsx';

type DeskFieldProps = {
  field: RefObject<HTMLInputElement | null>;
  state: Pick<DeskState, 'text' | 'asked' | 'remark'>;
  /** False with the number pad, where no keyboard is wanted. */
  hasKeyboard: boolean;
  onType: (text: string) => void;
  onAnswer: (answer: number | 'yes') => void;
  onKey?: (event: KeyboardEvent<HTMLInputElement>) => void;
  label?: string;
  /**
   * On wide screens a remark has a line of its own, and a question, which waits for its answer, covers the line above: the
   * photo keeps its size.
   */
  coversLineAbove?: boolean;
};

/** The field. A question of the line is shown above it, and answered by a digit, ⏎ or a click. */
export function DeskField(props: DeskFieldProps) {
  const {
    field,
    state,
    hasKeyboard,
    onType,
    onAnswer,
    onKey,
    label = 'Who is on this photo?',
    coversLineAbove = false,
  } = props;
  const id = useId();
  const { asked, remark } = state;
  const isQuiet = asked === null && remark === null;
  return (
    <div className="relative flex min-w-0 flex-1 flex-col gap-2 max-md:basis-full">
      <div className={cx(coversLineAbove && 'md:relative md:min-h-5', isQuiet && 'max-md:sr-only')}>
        <div
          role="alert"
          className={cx(
            'flex flex-wrap items-center gap-2',
            coversLineAbove && asked && 'md:absolute md:inset-x-0 md:bottom-0 md:min-h-9 md:bg-stage',
            isQuiet && 'sr-only',
          )}
        >
          <p id={`${id}-said`} className={cx('text-sm', asked ? 'font-semibold' : 'text-warning')}>
            {asked?.text ?? remark}
          </p>
          {asked?.kind === 'question' &&
            asked.options.map((option, at) => (
              <Choice key={option} onPress={() => onAnswer(at)}>
                {`${at + 1} ${option}`}
              </Choice>
            ))}
          {asked?.kind === 'confirm' && <Choice onPress={() => onAnswer('yes')}>Tag it</Choice>}
        </div>
      </div>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <input
        ref={field}
        id={id}
        value={state.text}
        onChange={(event) => onType(event.target.value)}
        onKeyDown={onKey}
        placeholder="Number or name"
        aria-describedby={`${id}-said`}
        inputMode={hasKeyboard ? 'text' : 'none'}
        enterKeyHint="next"
        data-autofocus=""
        autoComplete="off"
        autoCorrect="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={100}
        className="min-h-13 w-full rounded border border-line-strong bg-surface px-4 text-lg text-ink placeholder:text-quiet"
      />
    </div>
  );
}

function Choice({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="min-h-11 rounded border border-line-strong bg-surface px-3 text-sm font-semibold pointer-fine:min-h-9"
    >
      {children}
    </button>
  );
}

type TagsOfPhotoProps = { photo: DeskPhoto | null; roster: DeskRoster; onRemove: (tag: DeskTag) => void };

/** Who is on the current photo. */
export function TagsOfPhoto({ photo, roster, onRemove }: TagsOfPhotoProps) {
  return (
    <ul aria-label="On this photo" className="flex min-h-9 flex-wrap items-center gap-2 text-sm">
      {photo?.tags.map((tag) => (
        <li key={keyOfTag(tag)} className="flex items-center gap-1 rounded-full bg-surface pl-3">
          {tagWords(tag, roster)}
          <button
            type="button"
            aria-label={`Remove ${tagWords(tag, roster)}`}
            onClick={() => onRemove(tag)}
            className="grid size-11 place-items-center rounded-full hover:bg-sunken pointer-fine:size-8 [&_svg]:size-4"
          >
            <X aria-hidden="true" />
          </button>
        </li>
      ))}
      {photo?.tags.length === 0 && (
        <li className="text-quiet">{photo.isChecked ? 'Nobody to name' : 'Not tagged yet'}</li>
      )}
      {photo && isHidden(photo) && (
        <li className="flex items-center gap-1 text-warning [&_svg]:size-4">
          <EyeOff aria-hidden="true" />
          Hidden from visitors
        </li>
      )}
    </ul>
  );
}
