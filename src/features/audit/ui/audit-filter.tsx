import { Form } from 'react-router';
import type { AuditFilter } from '#src/features/audit/audit.contract.ts';
import { deedWords } from '#src/features/audit/audit.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Select } from '#src/ui/select.tsx';
import { TextField } from '#src/ui/text-field.tsx';

type AuditFilterFormProps = {
  filter: AuditFilter;
  errors: FieldErrors;
  kinds: { actions: string[]; objectTypes: string[] };
};

/** What to look for; all of it lives in the address. */
export function AuditFilterForm({ filter, errors, kinds }: AuditFilterFormProps) {
  const isFiltered = Object.values(filter).some((value) => value !== undefined && value !== '');
  return (
    <Form
      key={JSON.stringify(filter)}
      method="get"
      action="/admin/audit-log"
      aria-label="Filter"
      className="grid items-start gap-x-3 gap-y-4 py-5 sm:grid-cols-2 lg:grid-cols-4"
    >
      <TextField
        label="Organization"
        name="organization"
        placeholder="Domain name or number"
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
            {deedWords(action)}
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
      <div className="grid grid-cols-2 gap-3 sm:contents">
        <TextField label="From" name="from" type="date" defaultValue={filter.from} errors={errors['from']} />
        <TextField label="To" name="to" type="date" defaultValue={filter.to} errors={errors['to']} />
      </div>
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
  );
}

/** What was asked for stays in the list, also where the log does not know it. */
const withChosen = (known: readonly string[], chosen: string | undefined): readonly string[] =>
  chosen === undefined || chosen === '' || known.includes(chosen) ? known : [...known, chosen];
