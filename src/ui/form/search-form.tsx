import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { SearchField } from '#src/ui/form/search-field.tsx';

const TYPING_PAUSE_MS = 200;

type SearchFormProps = {
  label: string;
  placeholder: string;
  /** Shows a phone’s number pad. */
  inputMode?: 'numeric' | undefined;
  /** The search text in the address. */
  value: string;
  /** After a pause in typing, at Enter and at the clear button. */
  onSearch: (text: string) => void;
  /** Other parts of the query that stay. */
  kept?: Readonly<Record<string, string>>;
};

/** A search stored in the address: without JavaScript Enter sends it, with it the search follows typing. */
export function SearchForm({ label, placeholder, inputMode, value, onSearch, kept = {} }: SearchFormProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  const search = useEffectEvent((wanted: string) => {
    if (wanted === sent.current) return;
    sent.current = wanted;
    onSearch(wanted);
  });
  useEffect(() => {
    const timer = setTimeout(() => search(text.trim()), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  // Back and forward change the field's text.
  useEffect(() => {
    if (value === sent.current) return;
    sent.current = value;
    setText(value);
  }, [value]);
  function onSubmit(event: FormEvent): void {
    event.preventDefault();
    sent.current = text.trim();
    onSearch(sent.current);
  }
  return (
    <form role="search" method="get" className="w-full max-w-md" onSubmit={onSubmit}>
      {Object.entries(kept).map(([name, stays]) => (
        <input key={name} type="hidden" name={name} value={stays} />
      ))}
      <SearchField
        label={label}
        name="search"
        placeholder={placeholder}
        inputMode={inputMode}
        autoComplete="off"
        enterKeyHint="search"
        // No more than any of the calls searches.
        maxLength={100}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onClear={() => setText('')}
      />
    </form>
  );
}
