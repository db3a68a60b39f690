/** One of many: typing searches a list that may be too long to scroll (why it is our own: docs/decisions/0043-combobox.md). */
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Field, type FieldProps } from '#src/ui/form/field.tsx';
import { Check, ChevronDown, X } from '#src/ui/icon.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

export type ComboboxOption = {
  id: number;
  label: string;
  /** Distinguishes two options of the same name. */
  detail?: string | null;
};
/** The results of a search, or a message why it failed. */
export type Found<Option> = { options: readonly Option[] } | { problem: string };

type ComboboxProps<Option extends ComboboxOption> = FieldProps & {
  value: Option | null;
  /** Called with null only if the choice is optional. */
  onChange: (option: Option | null) => void;
  search: (words: string, signal: AbortSignal) => Promise<Found<Option>>;
  /** "All galleries": makes the choice optional. It leads the list, and a button clears the field. */
  noneLabel?: string;
  placeholder?: string;
  disabled?: boolean;
  /** The first control of a dialog. */
  'data-autofocus'?: '';
};

const TYPING_PAUSE_MS = 180;
const MAX_WORDS = 100;
const PAGE = 5;

/** Arrows move through the list, Enter chooses; Escape and leaving the field restore the previous choice. */
export function Combobox<Option extends ComboboxOption>(props: ComboboxProps<Option>) {
  const { value, noneLabel, onChange, search, placeholder = noneLabel, disabled = false, ...field } = props;
  const listId = useId();
  const input = useRef<HTMLInputElement>(null);
  const list = useChoices({ value, noneLabel, onChange, search, disabled });
  const isOpen = list.words !== null;
  const hasList = list.options.length > 0;
  const isClearable = noneLabel !== undefined && value !== null && !disabled;
  return (
    <Field {...field}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={input}
            type="text"
            role="combobox"
            aria-expanded={hasList}
            aria-controls={hasList ? listId : undefined}
            aria-activedescendant={hasList ? `${listId}-${list.current}` : undefined}
            aria-autocomplete="list"
            aria-required={field.required || undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MAX_WORDS}
            disabled={disabled}
            data-autofocus={props['data-autofocus']}
            placeholder={(isOpen && value?.label) || placeholder}
            value={list.words ?? value?.label ?? ''}
            // The first character typed replaces the previous choice.
            onFocus={(event) => event.currentTarget.select()}
            onClick={list.open}
            onKeyDown={list.onKeyDown}
            onChange={(event) => list.type(event.target.value)}
            onBlur={list.close}
            className={cx(CONTROL, isClearable ? 'pr-18' : 'pr-10')}
          />
          {isClearable && (
            <ClearButton
              label={`${noneLabel}: forget ${value.label}`}
              onClear={() => {
                list.choose(null);
                input.current?.focus();
              }}
            />
          )}
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-quiet"
          />
          {isOpen && <Choices id={listId} label={field.label} noneLabel={noneLabel} value={value} list={list} />}
        </div>
      )}
    </Field>
  );
}

type ListOptions<Option extends ComboboxOption> = Pick<ComboboxProps<Option>, 'value' | 'onChange' | 'search'> & {
  noneLabel: string | undefined;
  disabled: boolean;
};
type Choices<Option extends ComboboxOption> = ReturnType<typeof useChoices<Option>>;

/** What is typed, the results for it, and the option that the keys have reached. */
function useChoices<Option extends ComboboxOption>({
  value,
  noneLabel,
  onChange,
  search,
  disabled,
}: ListOptions<Option>) {
  /** What is typed; null while the list is closed. */
  const [words, setWords] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const isOpen = words !== null;
  const found = useFound(words, search);
  const matches = found !== null && 'options' in found ? found.options : [];
  const options: readonly (Option | null)[] =
    noneLabel !== undefined && words === '' && matches.length > 0 ? [null, ...matches] : matches;
  const current = Math.min(active, options.length - 1);

  function type(text: string): void {
    setWords(text);
    setActive(0);
  }
  function open(): void {
    if (!isOpen && !disabled) type('');
  }
  function close(): void {
    setWords(null);
  }
  function choose(option: Option | null | undefined): void {
    if (option === undefined) return;
    close();
    if (option?.id !== value?.id) onChange(option);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    if (!isOpen) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return;
      event.preventDefault();
      return open();
    }
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + PAGE, PageUp: current - PAGE }[
      key
    ];
    if (next !== undefined) setActive(Math.max(0, Math.min(options.length - 1, next)));
    else if (key === 'Enter') choose(options[current]);
    else if (key === 'Escape') close();
    else return;
    event.preventDefault();
  }

  return { words, type, open, close, choose, onKeyDown, found, matches: matches.length, options, current };
}

function ClearButton({ label, onClear }: { label: string; onClear: () => void }) {
  return (
    <button
      type="button"
      aria-label={label}
      onClick={onClear}
      className="absolute inset-y-0 right-9 grid w-9 place-items-center text-quiet hover:text-ink"
    >
      <X aria-hidden="true" className="size-5" />
    </button>
  );
}

type ChoicesProps<Option extends ComboboxOption> = {
  id: string;
  label: string;
  noneLabel: string | undefined;
  value: Option | null;
  list: Choices<Option>;
};

function Choices<Option extends ComboboxOption>({ id, label, noneLabel, value, list }: ChoicesProps<Option>) {
  return (
    <div
      role="presentation"
      // Pressing the mouse in the list must not move the focus, because that would close the list before the click.
      onMouseDown={(event) => event.preventDefault()}
      className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded border border-line-strong bg-surface py-1 shadow-xl"
    >
      <SearchStatus found={list.found} count={list.matches} />
      {list.options.length > 0 && (
        <div id={id} role="listbox" aria-label={label}>
          {list.options.map((option, index) => (
            <Row
              key={option?.id ?? 'none'}
              id={`${id}-${index}`}
              label={option?.label ?? noneLabel}
              detail={option?.detail}
              isActive={index === list.current}
              isChosen={option?.id === value?.id}
              onChoose={() => list.choose(option)}
            />
          ))}
        </div>
      )}
    </div>
  );
}

/** The results for the latest text; null while they are loading and while nothing is typed. */
function useFound<Option>(
  words: string | null,
  search: (words: string, signal: AbortSignal) => Promise<Found<Option>>,
): Found<Option> | null {
  const [answer, setAnswer] = useState<{ words: string; found: Found<Option> } | null>(null);
  const ask = useEffectEvent(search);
  useEffect(() => {
    if (words === null) return;
    const stopped = new AbortController();
    const timer = setTimeout(
      async () => {
        const found = await ask(words, stopped.signal).catch(() => null);
        if (found && !stopped.signal.aborted) setAnswer({ words, found });
      },
      words === '' ? 0 : TYPING_PAUSE_MS,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [words]);
  return answer?.words === words ? answer.found : null;
}

/** The number of matches is for screen readers only; an empty list and an error are visible, too. */
function SearchStatus<Option>({ found, count }: { found: Found<Option> | null; count: number }) {
  const hasMatches = count > 0;
  return (
    <p role="status" className={hasMatches ? 'sr-only' : 'flex min-h-11 items-center gap-3 px-3 text-sm text-quiet'}>
      {found === null ? (
        <>
          <Spinner /> Searching...
        </>
      ) : 'problem' in found ? (
        found.problem
      ) : hasMatches ? (
        `${count} found`
      ) : (
        'Nothing found.'
      )}
    </p>
  );
}

type RowProps = {
  id: string;
  label: string | undefined;
  detail: string | null | undefined;
  isActive: boolean;
  isChosen: boolean;
  onChoose: () => void;
};

function Row({ id, label, detail, isActive, isChosen, onChoose }: RowProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // The field keeps the focus and handles the keys.
    <button
      ref={row}
      id={id}
      type="button"
      tabIndex={-1}
      role="option"
      aria-selected={isChosen}
      onClick={onChoose}
      className={cx(
        'flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-start text-sm',
        isActive ? 'bg-accent-tint' : 'hover:bg-sunken',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{label}</span>
        {detail && <span className="block truncate text-xs text-quiet">{detail}</span>}
      </span>
      {isChosen && <Check aria-hidden="true" className="size-4.5 shrink-0 text-accent-text" />}
    </button>
  );
}
