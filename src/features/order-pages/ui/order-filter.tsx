import { ORDER_STATES } from '#src/features/refunds/refunds.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { cx } from '#src/ui/cx.ts';
import { FilterForm } from '#src/ui/form/filter-form.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';

type OrderFilterProps = {
  /** The path of the page. */
  page: string;
  /** The search, which has its own form, stays. */
  search: string;
  /** What else is filled in. */
  filter: Readonly<Record<string, string>>;
  errors: FieldErrors;
  /** With fewer than two there is no choice. */
  sellers: readonly { id: number; name: string }[];
};

/** Orders by their seller, state and day. */
export function OrderFilter({ page, search, filter, errors, sellers }: OrderFilterProps) {
  return (
    <FilterForm
      action={page}
      filter={filter}
      errors={errors}
      kept={search === '' ? {} : { search }}
      className={cx(
        'sm:grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))]',
        sellers.length > 1 ? 'max-w-6xl' : 'max-w-4xl',
      )}
    >
      {sellers.length > 1 && (
        <Select
          label="Organization"
          name="organization_id"
          defaultValue={filter['organization_id'] ?? ''}
          errors={errors['organization_id']}
        >
          <option value="">All</option>
          {sellers.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </Select>
      )}
      <Select label="State" name="status" defaultValue={filter['status'] ?? ''} errors={errors['status']}>
        <option value="">Any</option>
        {Object.entries(ORDER_STATES).map(([value, words]) => (
          <option key={value} value={value}>
            {words}
          </option>
        ))}
      </Select>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3 sm:contents">
        <TextField label="From" name="from" type="date" defaultValue={filter['from']} errors={errors['from']} />
        <TextField label="To" name="to" type="date" defaultValue={filter['to']} errors={errors['to']} />
      </div>
    </FilterForm>
  );
}
