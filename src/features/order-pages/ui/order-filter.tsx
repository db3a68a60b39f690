import { useState } from 'react';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import { OrganizationPicker } from '#src/features/organization-picker/ui/organization-picker.tsx';
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
  /** With fewer than two there is no choice. Too many for a list are searched. */
  sellers: readonly { id: number; name: string }[] | SearchedSellers;
};
type SearchedSellers = { parentId: number; chosen: OrganizationChoice | null };

/** Orders by their seller, state and day. */
export function OrderFilter({ page, search, filter, errors, sellers }: OrderFilterProps) {
  const isSearched = 'parentId' in sellers;
  const isChoice = isSearched || sellers.length > 1;
  return (
    <FilterForm
      action={page}
      filter={filter}
      errors={errors}
      kept={search === '' ? {} : { search }}
      className={cx(
        'sm:grid-cols-[repeat(auto-fit,minmax(min(12rem,100%),1fr))]',
        isChoice ? 'max-w-6xl' : 'max-w-4xl',
      )}
    >
      {isSearched && <SellerField {...sellers} errors={errors['organization_id']} />}
      {!isSearched && isChoice && (
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

/** The form sends the id of the chosen one. Without its script it stays, and each organization has its own page of orders. */
function SellerField({ parentId, chosen, errors }: SearchedSellers & { errors: readonly string[] | undefined }) {
  const [seller, setSeller] = useState(chosen);
  return (
    <div className="noscript:hidden">
      <input type="hidden" name="organization_id" value={seller?.id ?? ''} />
      <OrganizationPicker
        label="Organization"
        of="sellers"
        parentId={parentId}
        noneLabel="All"
        value={seller}
        onChange={setSeller}
        onClear={() => setSeller(null)}
        errors={errors}
      />
    </div>
  );
}
