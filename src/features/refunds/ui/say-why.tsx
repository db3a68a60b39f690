import { useId, useState, type ReactNode } from 'react';
import { MAX_REASON } from '#src/features/refunds/refunds.contract.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { TextArea } from '#src/ui/text-area.tsx';
import type { ApiResult } from '#src/web/api-client.ts';

type SayWhyProps = {
  title: string;
  children?: ReactNode;
  label: string;
  hint?: string;
  /** When nothing was written. */
  missing: string;
  /** The field's name in the call. */
  field: string;
  action: string;
  busy: string;
  send: (text: string) => Promise<ApiResult<unknown> | FieldErrors>;
  onClose: () => void;
  onDone: () => void;
  /** Fields above the reason. */
  fields?: (errors: FieldErrors) => ReactNode;
};

/** A deed that needs a reason. */
export function SayWhy({
  title,
  children,
  label,
  hint,
  missing,
  field,
  action,
  busy,
  send,
  onClose,
  onDone,
  fields,
}: SayWhyProps) {
  const [text, setText] = useState('');
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState('');
  const [isSending, setSending] = useState(false);
  const form = useId();

  async function submit(): Promise<void> {
    setProblem('');
    if (text.trim() === '') return setErrors({ [field]: [missing] });
    setSending(true);
    const answer = await send(text);
    setSending(false);
    if (!isAnswer(answer)) return setErrors(answer);
    if (answer.ok) return onDone();
    setErrors(answer.errors);
    if (Object.keys(answer.errors).length === 0) setProblem(answer.error);
  }

  return (
    <Dialog
      open
      title={title}
      onClose={() => !isSending && onClose()}
      footer={
        <>
          <Button variant="secondary" disabled={isSending} onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" form={form} busy={isSending && busy}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {children}
        {fields?.(errors)}
        <TextArea
          label={label}
          {...(hint === undefined ? {} : { hint })}
          required
          data-autofocus=""
          maxLength={MAX_REASON}
          value={text}
          errors={errors[field] ?? []}
          onChange={(event) => setText(event.target.value)}
        />
        <p role="alert" className="text-sm font-semibold text-danger empty:hidden">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}

function isAnswer(answer: ApiResult<unknown> | FieldErrors): answer is ApiResult<unknown> {
  return typeof answer['ok'] === 'boolean';
}
