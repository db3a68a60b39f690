import type { ComponentProps } from 'react';
import { TextField } from '#src/ui/form/text-field.tsx';

/** A text field with the keyboard for email addresses, which corrects nothing. */
export function EmailField(props: ComponentProps<typeof TextField>) {
  return <TextField type="email" inputMode="email" autoCapitalize="none" spellCheck={false} {...props} />;
}
