import { useId, useState, type ReactNode } from 'react';
import { Form } from 'react-router';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type FilterFormProps = {
  /** The path of the page. */
  action: string;
  /** The parts of the filter that are filled in. */
  filter: Readonly<Record<string, string>>;
  errors: FieldErrors;
  /** Other parts of the query that stay. */
  kept?: Readonly<Record<string, string>>;
  /** The columns of its grid from `sm` on. */
  className: string;
  /** The fields. */
  children: ReactNode;
};

/** The filters of a list; the address holds all state. Phones show the list first, and the filters on demand. */
export function FilterForm({ action, filter, errors, kept = {}, className, children }: FilterFormProps) {
  const id = useId();
  const [isOpened, setOpened] = useState(false);
  const count = Object.keys(filter).length;
  const isOpen = isOpened || Object.keys(errors).length > 0;
  const rest = new URLSearchParams(kept).toString();
  return (
    <>
      <Button
        variant="secondary"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpened(!isOpen)}
        className="mb-4 w-full sm:hidden noscript:hidden"
      >
        <ChevronDown aria-hidden="true" className={cx('transition-transform', isOpen && 'rotate-180')} />
        {count > 0 ? `Filters (${count})` : 'Filters'}
      </Button>
      <Form
        id={id}
        key={JSON.stringify([filter, kept])}
        method="get"
        action={action}
        aria-label="Filter"
        onSubmit={() => setOpened(false)}
        className={cx(
          'grid grid-cols-1 items-start gap-x-3 gap-y-4 pb-5',
          className,
          !isOpen && 'max-sm:not-noscript:hidden',
        )}
      >
        {Object.entries(kept).map(([name, stays]) => (
          <input key={name} type="hidden" name={name} value={stays} />
        ))}
        {children}
        <div className="flex gap-2 self-end">
          <Button type="submit" variant="secondary">
            Show
          </Button>
          {count > 0 && (
            <LinkButton to={rest === '' ? action : `${action}?${rest}`} variant="quiet">
              Clear
            </LinkButton>
          )}
        </div>
      </Form>
    </>
  );
}
