import { useId, useState } from 'react';
import { Form } from 'react-router';
import type { AuditFilter } from '#src/features/audit/audit.contract.ts';
import { actionWords } from '#src/features/audit/audit.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { ChevronDown } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Select } from '#src/ui/select.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type AuditFilterFormProps = {
  filter: AuditFilter;
  errors: FieldErrors;
  kinds: { actions: string[]; objectTypes: string[] };
};

/** What to look for; all of it lives in the address. Phones show the entries first, and the fields when they are asked for. */
export function AuditFilterForm({ filter, errors, kinds }: AuditFilterFormProps) {
  const id = useId();
  const [isOpened, setOpened] = useState(false);
  const count = Object.values(filter).filter((value) => value !== undefined && value !== '').length;
  const isFiltered = count > 0;
  const isOpen = isOpened || Object.keys(errors).length > 0;
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
        {isFiltered ? `Filters (${count})` : 'Filters'}
      </Button>
      <Form
        id={id}
        key={JSON.stringify(filter)}
        method="get"
        action="/admin/audit-log"
        aria-label="Filter"
        onSubmit={() => setOpened(false)}
        className={cx(
          'grid items-start gap-x-3 gap-y-4 pb-5 sm:grid-cols-2 sm:pt-5 lg:grid-cols-4',
          !isOpen && 'max-sm:not-noscript:hidden',
        )}
      >
        <Fields filter={filter} errors={errors} kinds={kinds} />
        <div className="flex gap-2 self-end">
          <Button type="submit" variant="secondary">
            Show
          </Button>
          {isFiltered && (
            <LinkButton to="/admin/audit-log" variant="quiet">
              Clear
            </LinkButton>
          )}
        </div>
      </Form>
    </>
  );
}

function Fields({ filter, errors, kinds }: AuditFilterFormProps) {
  return (
    <>
      <TextField
        label="Organization"
        name="organization"
        placeholder="Domain name or ID"
        defaultValue={filter.organization}
        errors={errors['organization']}
      />
      <TextField
        label="Person"
        name="person"
        placeholder="Email or number"
        defaultValue={filter.person}
        errors={errors['person']}
      />
      <Select label="Action" name="action" defaultValue={filter.action ?? ''} errors={errors['action']}>
        <option value="">Any</option>
        {withChosen(kinds.actions, filter.action).map((action) => (
          <option key={action} value={action}>
            {actionWords(action)}
          </option>
        ))}
      </Select>
      <div className="grid grid-cols-2 gap-3">
        <Select label="Thing" name="object_type" defaultValue={filter.object_type ?? ''} errors={errors['object_type']}>
          <option value="">Any</option>
          {withChosen(kinds.objectTypes, filter.object_type).map((kind) => (
            <option key={kind} value={kind}>
              {kind.replaceAll('_', ' ')}
            </option>
          ))}
        </Select>
        <TextField label="Its number" name="object_id" defaultValue={filter.object_id} errors={errors['object_id']} />
      </div>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-3 sm:contents">
        <TextField label="From" name="from" type="date" defaultValue={filter.from} errors={errors['from']} />
        <TextField label="To" name="to" type="date" defaultValue={filter.to} errors={errors['to']} />
      </div>
    </>
  );
}

/** What was asked for stays in the list, also where the log does not know it. */
const withChosen = (known: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || chosen === '' || known.includes(chosen) ? known : [...known, chosen];
