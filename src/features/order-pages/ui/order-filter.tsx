import { Form } from 'react-router';
import { ORDER_STATES } from '#src/features/refunds/refunds.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';

type OrderFilterProps = {
  /** The path of the page; the address holds all state. */
  page: string;
  filter: Readonly<Record<string, string>>;
  errors: FieldErrors;
};

/** Orders by their state and day; the search, which has its own form, stays. */
export function OrderFilter({ page, filter, errors }: OrderFilterProps) {
  const { search = '', status = '', from = '', to = '' } = filter as Partial<typeof filter>;
  return (
    <Form
      key={JSON.stringify(filter)}
      method="get"
      action={page}
      aria-label="Filter"
      preventScrollReset
      className="grid grid-cols-2 items-start gap-x-3 gap-y-4 pt-4 md:grid-cols-[13rem_11rem_11rem_auto]"
    >
      {search !== '' && <input type="hidden" name="search" value={search} />}
      <div className="max-md:col-span-2">
        <Select label="State" name="status" defaultValue={status} errors={errors['status']}>
          <option value="">Any</option>
          {Object.entries(ORDER_STATES).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </Select>
      </div>
      <TextField label="From" name="from" type="date" defaultValue={from} errors={errors['from']} />
      <TextField label="To" name="to" type="date" defaultValue={to} errors={errors['to']} />
      <div className="flex flex-wrap gap-2 max-md:col-span-2 md:pt-[1.625rem]">
        <Button type="submit" variant="secondary">
          Show
        </Button>
        {`${status}${from}${to}` !== '' && (
          <LinkButton to={search === '' ? page : `${page}?${new URLSearchParams({ search })}`} variant="quiet">
            Clear
          </LinkButton>
        )}
      </div>
    </Form>
  );
}
