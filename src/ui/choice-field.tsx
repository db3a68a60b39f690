import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/control-style.ts';
import { Field, type FieldProps } from '#src/ui/field.tsx';
import { ChevronDown, X } from '#src/ui/icon.tsx';

export type Choice = {
  id: number;
  name: string;
  /** What tells two of the same name apart. */
  note?: string;
};

type ChoiceFieldProps = FieldProps & {
  value: Choice | null;
  onChoose: (choice: Choice | null) => void;
  /** The first choices that match the text; null when they could not be read. */
  find: (text: string, signal: AbortSignal) => Promise<readonly Choice[] | null>;
  /** What stands for no choice: "All organizations". */
  none: string;
  /** The sentence for choices that could not be read. */
  failed: string;
  disabled?: boolean;
};

const TYPING_PAUSE_MS = 200;

/**
 * One of many, found by typing: a combobox whose list is searched elsewhere, so that thousands may be chosen from. Arrows move, Enter
 * chooses, Escape and leaving it put back what was chosen.
 */
export function ChoiceField({ value, onChoose, find, none, failed, disabled = false, ...field }: ChoiceFieldProps) {
  const listId = useId();
  const [text, setText] = useState<string | null>(null);
  const [at, setAt] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const isOpen = text !== null;
  const { found, isLost } = useFound(text, find);
  // What nobody typed for is not narrowed: the empty choice leads the whole list.
  const options: readonly (Choice | null)[] = found === null ? [] : text === '' ? [null, ...found] : found;
  const marked = Math.min(at, options.length - 1);

  function choose(choice: Choice | null): void {
    close();
    if (choice?.id !== value?.id) onChoose(choice);
  }
  function open(): void {
    if (disabled) return;
    setText((now) => now ?? '');
    setAt(0);
  }
  function close(): void {
    setText(null);
  }
  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) return open();
      if (options.length > 0) setAt((marked + step + options.length) % options.length);
    } else if (event.key === 'Enter' && isOpen) {
      event.preventDefault();
      const option = options[marked];
      if (option !== undefined) choose(option);
    } else if (event.key === 'Escape' && isOpen) {
      event.preventDefault();
      close();
    }
  }

  return (
    <Field {...field}>
      {(control) => (
        <span className="relative block">
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            autoComplete="off"
            spellCheck={false}
            aria-expanded={isOpen}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={isOpen && options.length > 0 ? `${listId}-${marked}` : undefined}
            disabled={disabled}
            maxLength={100}
            placeholder={isOpen && value ? value.name : none}
            value={text ?? value?.name ?? ''}
            onFocus={(event) => event.currentTarget.select()}
            onClick={open}
            onChange={(event) => {
              // The first letter replaces what was chosen, which is selected; it is not a search for both.
              setText(event.target.value);
              setAt(0);
            }}
            onKeyDown={onKeyDown}
            onBlur={close}
            className={cx(CONTROL, 'text-ellipsis', value ? 'pr-18' : 'pr-10')}
          />
          {value && !disabled && (
            <button
              type="button"
              aria-label={`${none}: forget ${value.name}`}
              onClick={() => {
                choose(null);
                input.current?.focus();
              }}
              className="absolute inset-y-0 right-9 grid w-9 place-items-center text-quiet hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </button>
          )}
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-quiet"
          />
          <div
            id={listId}
            role="listbox"
            aria-label={field.label}
            hidden={!isOpen || options.length === 0}
            className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded border border-line-strong bg-surface py-1 shadow-lg"
          >
            {isOpen &&
              options.map((option, place) => (
                <button
                  key={option?.id ?? 'none'}
                  id={`${listId}-${place}`}
                  type="button"
                  role="option"
                  tabIndex={-1}
                  aria-selected={(option?.id ?? null) === (value?.id ?? null)}
                  ref={place === marked ? scrollIntoSight : null}
                  // Pressing it must not take the focus, whose loss closes the list.
                  onPointerDown={(event) => event.preventDefault()}
                  onClick={() => choose(option)}
                  className={cx(
                    'flex min-h-11 w-full flex-wrap items-baseline gap-x-2 px-3 py-2 text-left text-sm pointer-fine:min-h-9',
                    place === marked && 'bg-accent-tint',
                  )}
                >
                  <span className={cx('min-w-0 break-words', option === null && 'text-quiet')}>
                    {option?.name ?? none}
                  </span>
                  {option?.note !== undefined && <span className="text-xs text-quiet">{option.note}</span>}
                </button>
              ))}
          </div>
          <span role="status" className={cx(!isOpen || options.length > 0 ? 'sr-only' : NEWS)}>
            {isOpen && news(found, text, isLost ? failed : null)}
          </span>
        </span>
      )}
    </Field>
  );
}

const NEWS =
  'absolute inset-x-0 top-full z-30 mt-1 rounded border border-line-strong bg-surface px-3 py-2.5 text-sm text-quiet shadow-lg';

function scrollIntoSight(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: 'nearest' });
}

function news(found: readonly Choice[] | null, text: string, failed: string | null): string {
  if (failed !== null) return failed;
  if (found === null) return 'Searching...';
  if (found.length === 0) return text === '' ? 'There is nothing to choose.' : 'Nothing has that name.';
  return found.length === 1 ? '1 choice' : `${found.length} choices`;
}

type Looked = { found: readonly Choice[] | null; isLost: boolean };
const NOTHING_YET: Looked = { found: null, isLost: false };

/** What matches the text: null while it is looked for; the last answer stays until the next one comes. */
function useFound(text: string | null, find: ChoiceFieldProps['find']): Looked {
  const [state, setState] = useState<Looked>(NOTHING_YET);
  const ask = useRef(find);
  useEffect(() => {
    ask.current = find;
  });
  useEffect(() => {
    if (text === null) return undefined;
    const going = new AbortController();
    const timer = setTimeout(
      () => {
        ask.current(text.trim(), going.signal).then(
          (found) => {
            if (!going.signal.aborted) setState({ found, isLost: found === null });
          },
          () => undefined,
        );
      },
      text === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      going.abort();
    };
  }, [text]);
  return text === null ? NOTHING_YET : state;
}
