import { MAX_USES_NOT_VALID, type IssuedCode } from '#src/features/codes/issued-codes.contract.ts';
import { CodeDialog, numberOf } from '#src/features/codes/ui/code-dialog.tsx';
import { callApi } from '#src/web/api-client.ts';
import { useForm } from '#src/web/use-form.ts';

type ChangeCodeProps = {
  code: IssuedCode;
  /** At the organization; null where it is not known. */
  today: string | null;
  onClose: () => void;
  onChanged: (code: IssuedCode) => void;
};

/** How often and until when a code is taken; only what was changed goes out. */
export function ChangeCode({ code, today, onClose, onChanged }: ChangeCodeProps) {
  const start = { max_uses: String(code.max_uses), last_day: code.last_day ?? '' };
  const form = useForm(start);

  async function submit(): Promise<void> {
    const saved = await form.send(({ max_uses: uses, last_day: lastDay }) =>
      callApi<IssuedCode>('PUT', `/api/v1/promo_codes/${code.id}`, {
        body: {
          promo_code: {
            ...(uses === start.max_uses ? {} : { max_uses: numberOf(uses, MAX_USES_NOT_VALID) }),
            ...(lastDay === start.last_day ? {} : { last_day: lastDay }),
          },
        },
      }),
    );
    if (saved) onChanged(saved.data);
  }

  return (
    <CodeDialog
      title={`Change ${code.code}`}
      form={form}
      action={{ label: 'Save', busy: 'Saving...' }}
      today={today ?? undefined}
      usesHint={`Used ${code.uses.toLocaleString('en-US')} so far.`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}
