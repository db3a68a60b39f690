/** Codes for an order: one coupon, and any number of credit codes. The server says what they give with the price. */
import { useImperativeHandle, useRef, useState, type Ref } from 'react';
import { MAX_CODES, TOO_MANY_CODES } from '#src/features/coupons/coupons.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { TextField } from '#src/ui/form/text-field.tsx';

/** Uses a code that was typed and not used yet, and shows what becomes of it; false if there is nothing to look at. */
export type CodeHandle = { takeTyped: () => boolean };

const FULL = `${TOO_MANY_CODES} Remove one, or clear this field.`;
const CHECK_THE_TOTAL = 'You also typed a code. Please check the total and press again.';

type CodeFieldProps = {
  ref?: Ref<CodeHandle>;
  codes: readonly string[];
  /** Problems, in the server's words. */
  errors?: readonly string[];
  /** Shows a button until someone has a code. */
  isFolded?: boolean;
  /** What happens to a code. */
  noteOf: (code: string) => string;
  /** A code that cannot be used: the next one replaces it. */
  isWrong?: (code: string) => boolean;
  onChange: (codes: string[]) => void;
};

export function CodeField({ ref, codes, errors = [], isFolded = false, noteOf, isWrong, onChange }: CodeFieldProps) {
  const field = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  const [isOpen, setOpen] = useState(!isFolded || codes.length > 0);
  const [notice, setNotice] = useState<string | null>(null);
  /** What became of it; null without a new code. */
  function addTyped(): 'added' | 'too many' | null {
    const code = typed.trim();
    const others = codes.filter((other) => other === code || !isWrong?.(other));
    const isNew = code !== '' && !codes.includes(code);
    const isFull = isNew && others.length >= MAX_CODES;
    setNotice(isFull ? FULL : null);
    if (isFull) return 'too many';
    if (isNew) onChange([...others, code]);
    setTyped('');
    return isNew ? 'added' : null;
  }
  useImperativeHandle(ref, () => ({
    takeTyped() {
      const outcome = addTyped();
      if (outcome === null) return false;
      if (outcome === 'added') setNotice(CHECK_THE_TOTAL);
      field.current?.scrollIntoView({ block: 'center' });
      return true;
    },
  }));
  function remove(code: string): void {
    setNotice(null);
    onChange(codes.filter((other) => other !== code));
    // The button disappears with its code.
    field.current?.focus();
  }
  if (!isOpen)
    return (
      <Button variant="quiet" size="small" className="-ml-3 self-start" onClick={() => setOpen(true)}>
        Have a code?
      </Button>
    );
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-end gap-2">
        <div className="min-w-0 grow basis-36">
          <TextField
            ref={field}
            // It appears where the button was clicked.
            autoFocus={isFolded && codes.length === 0}
            label="Have a code?"
            name="code"
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            maxLength={60}
            enterKeyHint="done"
            value={typed}
            isMarked={notice === FULL}
            onChange={(event) => {
              setNotice(null);
              setTyped(event.target.value);
            }}
            onKeyDown={(event) => {
              if (event.key !== 'Enter') return;
              // Enter would submit the order.
              event.preventDefault();
              addTyped();
            }}
          />
        </div>
        <Button variant="secondary" onClick={addTyped}>
          Use code
        </Button>
      </div>
      <CodeStatus {...{ codes, errors, noteOf }} notice={notice} onRemove={remove} />
    </div>
  );
}

type CodeStatusProps = Pick<CodeFieldProps, 'codes' | 'noteOf'> & {
  errors: readonly string[];
  notice: string | null;
  onRemove: (code: string) => void;
};

/** What becomes of the codes, and a button to remove each. */
function CodeStatus({ codes, errors, notice, noteOf, onRemove }: CodeStatusProps) {
  return (
    <div role="status" className="flex flex-col gap-1 text-sm">
      {notice !== null && <p className={cx('font-semibold', notice === FULL && 'text-danger')}>{notice}</p>}
      {errors.map((error) => (
        <p key={error} className="font-semibold text-danger">
          {error}
        </p>
      ))}
      {codes.map((code) => (
        <p key={code} className="flex flex-wrap items-center justify-between gap-2 wrap-anywhere">
          <span>
            <span className="uppercase">{code}</span> {noteOf(code)}
          </span>
          <Button variant="quiet" size="small" className="-mx-3" onClick={() => onRemove(code)}>
            Remove code{codes.length > 1 && <span className="sr-only"> {code}</span>}
          </Button>
        </p>
      ))}
    </div>
  );
}
