/** One of many: typed words search the list, which may be longer than anybody would scroll. */
import { useEffect, useEffectEvent, useId, useRef, useState, type KeyboardEvent } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/control-style.ts';
import { Field, type FieldProps } from '#src/ui/field.tsx';
import { Check, ChevronDown } from '#src/ui/icon.tsx';
import { Spinner } from '#src/ui/spinner.tsx';

export type ComboboxOption = {
  id: number;
  label: string;
  /** Tells two of the same name apart. */
  detail?: string | null;
};
/** What a search found, or a sentence that says why nothing could be found. */
export type Found<Option> = { options: readonly Option[] } | { problem: string };

type ComboboxProps<Option extends ComboboxOption> = FieldProps & {
  value: Option | null;
  onChange: (option: Option) => void;
  search: (words: string, signal: AbortSignal) => Promise<Found<Option>>;
  placeholder?: string;
  disabled?: boolean;
};

const TYPING_MS = 180;

/** Arrows go through the list, Enter takes, Escape leaves everything as it was. */
export function Combobox<Option extends ComboboxOption>({
  label,
  hint,
  errors,
  required,
  value,
  onChange,
  search,
  placeholder,
  disabled = false,
}: ComboboxProps<Option>) {
  const listId = useId();
  const box = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [words, setWords] = useState('');
  const [active, setActive] = useState(0);
  const found = useFound(isOpen ? words : null, search);
  const options = found !== null && 'options' in found ? found.options : [];
  const hasList = isOpen && options.length > 0;
  const current = hasList ? Math.min(active, options.length - 1) : -1;

  function open(): void {
    if (isOpen || disabled) return;
    setWords('');
    setActive(0);
    setOpen(true);
  }

  function take(option: Option | undefined): void {
    if (option) onChange(option);
    setOpen(false);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    if (!isOpen) {
      if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return;
      event.preventDefault();
      return open();
    }
    if (key === 'Tab') return setOpen(false);
    const next = { ArrowDown: current + 1, ArrowUp: current - 1, PageDown: current + 5, PageUp: current - 5 }[key];
    if (next !== undefined && hasList) setActive(Math.max(0, Math.min(options.length - 1, next)));
    else if (key === 'Enter') take(options[current]);
    else if (key === 'Escape') setOpen(false);
    else return;
    event.preventDefault();
  }

  return (
    <Field label={label} hint={hint} errors={errors} required={required}>
      {(control) => (
        <div className="relative">
          <input
            {...control}
            ref={box}
            type="text"
            role="combobox"
            aria-expanded={hasList}
            aria-controls={hasList ? listId : undefined}
            aria-activedescendant={hasList ? `${listId}-${current}` : undefined}
            aria-autocomplete="list"
            aria-required={required || undefined}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            disabled={disabled}
            placeholder={isOpen && value ? value.label : placeholder}
            value={isOpen ? words : (value?.label ?? '')}
            onClick={open}
            onKeyDown={onKeyDown}
            onChange={(event) => {
              if (!isOpen) setOpen(true);
              setWords(isOpen ? event.target.value : event.target.value.replace(value?.label ?? '', ''));
              setActive(0);
            }}
            onBlur={() => setOpen(false)}
            className={cx(CONTROL, 'pr-10 text-ellipsis')}
          />
          <ChevronDown
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 right-3 my-auto size-5 text-quiet"
          />
          {isOpen && (
            <div
              role="presentation"
              // A press in the list must not take the focus from the field before it counts.
              onMouseDown={(event) => event.preventDefault()}
              className="absolute inset-x-0 top-full z-30 mt-1 max-h-72 overflow-y-auto rounded border border-line-strong bg-surface py-1 shadow-xl"
            >
              <Told found={found} count={options.length} />
              {hasList && (
                <div id={listId} role="listbox" aria-label={label}>
                  {options.map((option, index) => (
                    <Row
                      key={option.id}
                      id={`${listId}-${index}`}
                      option={option}
                      isActive={index === current}
                      isTaken={option.id === value?.id}
                      onTake={() => take(option)}
                    />
                  ))}
                </div>
              )}
            </div>
          )}
        </div>
      )}
    </Field>
  );
}

/** The answer to the latest words; null while it is on its way, and for words that nobody types. */
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
      words === '' ? 0 : TYPING_MS,
    );
    return () => {
      clearTimeout(timer);
      stopped.abort();
    };
  }, [words]);
  return answer?.words === words ? answer.found : null;
}

/** How many there are is heard, not seen; that there is none, or a problem, is both. */
function Told<Option>({ found, count }: { found: Found<Option> | null; count: number }) {
  const isQuiet = count > 0;
  return (
    <p role="status" className={isQuiet ? 'sr-only' : 'flex min-h-11 items-center gap-3 px-3 text-sm text-quiet'}>
      {found === null ? (
        <>
          <Spinner /> Searching...
        </>
      ) : 'problem' in found ? (
        found.problem
      ) : isQuiet ? (
        `${count} found`
      ) : (
        'Nothing found.'
      )}
    </p>
  );
}

type RowProps = { id: string; option: ComboboxOption; isActive: boolean; isTaken: boolean; onTake: () => void };

function Row({ id, option, isActive, isTaken, onTake }: RowProps) {
  const row = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isActive) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isActive]);
  return (
    // Keys are heard by the field, which keeps the focus.
    <button
      ref={row}
      id={id}
      type="button"
      tabIndex={-1}
      role="option"
      aria-selected={isTaken}
      onClick={onTake}
      className={cx(
        'flex min-h-11 w-full items-center gap-3 px-3 py-1.5 text-start text-sm',
        isActive ? 'bg-accent-tint' : 'hover:bg-sunken',
      )}
    >
      <span className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{option.label}</span>
        {option.detail && <span className="block truncate text-xs text-quiet">{option.detail}</span>}
      </span>
      {isTaken && <Check aria-hidden="true" className="size-4.5 shrink-0 text-accent-text" />}
    </button>
  );
}
