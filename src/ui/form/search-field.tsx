import { useId, useRef, type ComponentProps } from 'react';
import { cx } from '#src/ui/cx.ts';
import { CONTROL } from '#src/ui/form/control-style.ts';
import { Search, X } from '#src/ui/icon.tsx';

type SearchFieldProps = Omit<ComponentProps<'input'>, 'type' | 'id' | 'ref'> & {
  /** Its name; read aloud. */
  label: string;
  value: string;
  onClear: () => void;
};

/** Text to search for, with an icon that clears it. */
export function SearchField({ label, value, onClear, className, ...input }: SearchFieldProps) {
  const id = useId();
  const box = useRef<HTMLInputElement>(null);
  return (
    <div className={cx('relative w-full max-w-md', className)}>
      <label htmlFor={id} className="sr-only">
        {label}
      </label>
      <Search aria-hidden="true" className="pointer-events-none absolute inset-y-0 left-3 my-auto size-5 text-quiet" />
      <input
        {...input}
        ref={box}
        id={id}
        type="search"
        value={value}
        className={cx(CONTROL, 'pr-11 pl-10 [&::-webkit-search-cancel-button]:hidden')}
      />
      {value !== '' && (
        <button
          type="button"
          aria-label="Clear search"
          onClick={() => {
            onClear();
            box.current?.focus();
          }}
          className="absolute inset-y-0 right-0 grid w-11 place-items-center text-quiet hover:text-ink"
        >
          <X aria-hidden="true" className="size-5" />
        </button>
      )}
    </div>
  );
}
