import type { ReactNode } from 'react';
import { ErrorList } from '#src/ui/error-list.tsx';
import { FormDialog } from '#src/ui/form-dialog.tsx';
import { TextField } from '#src/ui/text-field.tsx';
import type { Form } from '#src/web/use-form.ts';

type CodeDialogProps<Values extends { max_uses: string; last_day: string }> = {
  title: string;
  form: Form<Values>;
  action: { label: string; busy: string };
  /** The first day that can be the last; unknown without an organization. */
  today: string | undefined;
  usesHint?: string;
  onSubmit: () => void;
  onClose: () => void;
  /** Fields above the limits. */
  children?: ReactNode;
};

/** What issuing and changing a code have in common: how often and until when it is taken. */
export function CodeDialog<Values extends { max_uses: string; last_day: string }>(props: CodeDialogProps<Values>) {
  const { form, today, usesHint, children, ...dialog } = props;
  return (
    <FormDialog isSending={form.isSending} {...dialog}>
      <ErrorList messages={form.errors['form'] ?? []} attempt={form.attempt} heading="Something went wrong." />
      {children}
      <div className="grid items-start gap-4 sm:grid-cols-2">
        <TextField
          label="Maximum uses"
          required
          inputMode="numeric"
          maxLength={6}
          autoComplete="off"
          hint={usesHint}
          {...form.field('max_uses')}
        />
        <TextField
          label="Last day"
          type="date"
          min={today}
          hint="Leave blank for no expiration date."
          {...form.field('last_day')}
        />
      </div>
    </FormDialog>
  );
}

/** Text that is no whole number stays text, so that the call refuses it in words. */
export function numberOf(text: string, otherwise: string): number | string {
  const tidy = text.trim().replaceAll(',', '');
  return /^\d+$/.test(tidy) ? Number(tidy) : otherwise;
}
