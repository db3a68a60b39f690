/** Chooses an organization by typing a part of its name (specification A§2, 9). */
import {
  choiceLabel,
  type ChoiceKind,
  type OrganizationChoice,
} from '#src/features/organization-picker/organization-choices.contract.ts';
import { Combobox, type Found } from '#src/ui/form/combobox.tsx';
import type { FieldProps } from '#src/ui/form/field.tsx';
import { api } from '#src/web/api-client.ts';

type OrganizationPickerProps = FieldProps & {
  of: ChoiceKind;
  /** Only those below this parent; each has a detail without the parent's name. */
  parentId?: number;
  value: OrganizationChoice | null;
  onChange: (choice: OrganizationChoice) => void;
  /** "All": makes the choice optional. `onClear` is called when it is chosen. */
  noneLabel?: string;
  onClear?: () => void;
  disabled?: boolean;
};

type Option = { id: number; label: string; detail: string | null; choice: OrganizationChoice };

function optionOf(choice: OrganizationChoice, parentId: number | undefined): Option {
  const { id, domain_name: path, parent_name: parent, deleted } = choice;
  const isNamed = parent !== null && parentId === undefined;
  const detail = [path, ...(isNamed ? [choiceLabel({ name: parent })] : []), ...(deleted ? ['deleted'] : [])];
  return { id, label: choiceLabel(choice), detail: detail.join(' · '), choice };
}

export function OrganizationPicker({ of, parentId, value, onChange, onClear, ...field }: OrganizationPickerProps) {
  return (
    <Combobox
      {...field}
      value={value && optionOf(value, parentId)}
      placeholder={field.noneLabel ?? 'Type to search'}
      onChange={(option) => (option ? onChange(option.choice) : onClear?.())}
      search={(words, signal) => search({ of, parentId }, words, signal)}
    />
  );
}

type Whose = { of: ChoiceKind; parentId: number | undefined };

async function search({ of, parentId }: Whose, words: string, signal: AbortSignal): Promise<Found<Option>> {
  const q = words.trim();
  const query = { of, ...(q === '' ? {} : { q }), ...(parentId === undefined ? {} : { parent_id: parentId }) };
  const answer = await api('GET /api/v1/organization_choices', { query, signal });
  return answer.ok ? { options: answer.data.map((choice) => optionOf(choice, parentId)) } : { problem: answer.error };
}
