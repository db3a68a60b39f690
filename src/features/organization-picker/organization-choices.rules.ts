/** How organizations read in a list to choose from (specification A§9). */
import {
  MAX_CHOICE_CHARACTERS,
  UNKNOWN_ORGANIZATION,
} from '#src/features/organization-picker/organization-choices.contract.ts';

/** At most 40 characters; what is cut off shows as an ellipsis. */
export function choiceLabel(organization: { name?: string | null } | null): string {
  const name = organization?.name?.trim() ?? '';
  if (name === '') return UNKNOWN_ORGANIZATION;
  const letters = [...name];
  return letters.length > MAX_CHOICE_CHARACTERS
    ? `${letters.slice(0, MAX_CHOICE_CHARACTERS).join('').trimEnd()}…`
    : name;
}
