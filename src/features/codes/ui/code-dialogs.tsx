import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { formatCount } from '#src/shared/counted.ts';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { FormDialog } from '#src/ui/confirm-dialog.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { type Form, useForm } from '#src/web/use-form.ts';
import {
  MAX_USES_NOT_VALID,
  type IssuedCode,
  CODE_CHARACTERS,
  type Redemptions,
} from '#src/features/codes/issued-codes.contract.ts';
import { api, unchecked } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';
import { Button } from '#src/ui/button.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { Select } from '#src/ui/form/select.tsx';
import { DateText } from '#src/ui/date-text.tsx';

type CodeDialogProps<Values extends { max_uses: string; last_day: string }> = {
  title: string;
  form: Form<Values>;
  action: { label: string; busy: string };
  /** The first possible last day; unknown without an organization. */
  today: string | undefined;
  usesHint?: string;
  onSubmit: () => void;
  onClose: () => void;
  /** Fields above the limits. */
  children?: ReactNode;
};

/** The common fields of issuing and changing a code: how often and until when it is valid. */
function CodeDialog<Values extends { max_uses: string; last_day: string }>(props: CodeDialogProps<Values>) {
  const { form, today, usesHint, children, ...dialog } = props;
  return (
    <FormDialog isSending={form.isSending} {...dialog}>
      <ErrorList messages={form.errors['form'] ?? []} attempt={form.attempt} heading="Something went wrong." />
      {children}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] items-start gap-4">
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

/** For other text a value that the API refuses with its own message. */
function numberOf(text: string): number | string {
  const tidy = text.trim().replaceAll(',', '');
  return /^\d+$/.test(tidy) ? Number(tidy) : MAX_USES_NOT_VALID;
}

type ChangeCodeProps = {
  code: IssuedCode;
  /** In the organization's zone; null if it is unknown. */
  today: string | null;
  onClose: () => void;
  onChanged: (code: IssuedCode) => void;
};

/** How often and until when a code is valid; sends only changes. */
export function ChangeCode({ code, today, onClose, onChanged }: ChangeCodeProps) {
  const start = { max_uses: String(code.max_uses), last_day: code.last_day ?? '' };
  const form = useForm(start);

  async function submit(): Promise<void> {
    const saved = await form.send(({ max_uses: uses, last_day: lastDay }) =>
      api('PUT /api/v1/promo_codes/{id}', {
        params: { id: code.id },
        body: unchecked({
          promo_code: {
            ...(uses === start.max_uses ? {} : { max_uses: numberOf(uses) }),
            ...(lastDay === start.last_day ? {} : { last_day: lastDay }),
          },
        }),
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
      usesHint={`Used ${formatCount(code.uses)} so far.`}
      onSubmit={() => void submit()}
      onClose={onClose}
    />
  );
}

type IssueCodeProps = {
  /** `today`: in the organization's time zone. */
  organizations: readonly { id: number; name: string; today: string }[];
  chosen: number | null;
  onClose: () => void;
  onIssued: (code: IssuedCode) => void;
};

/** Issues a code and shows it large, so that it can be copied or read out. */
export function IssueCode({ organizations, chosen, onClose, onIssued }: IssueCodeProps) {
  const form = useForm({
    organization_id: String(chosen ?? (organizations.length === 1 ? organizations[0]?.id : '')),
    code: '',
    max_uses: '1',
    last_day: '',
  });
  const [issued, setIssued] = useState<IssuedCode | null>(null);

  async function submit(): Promise<void> {
    const answer = await form.send((values) =>
      api('POST /api/v1/promo_codes', {
        body: unchecked({ promo_code: { ...values, max_uses: numberOf(values.max_uses) } }),
      }),
    );
    if (!answer) return;
    setIssued(answer.data);
    onIssued(answer.data);
  }

  if (issued) return <Issued code={issued} onClose={onClose} />;
  return (
    <CodeDialog
      title="Issue a promo code"
      form={form}
      action={{ label: 'Issue', busy: 'Issuing...' }}
      today={organizations.find(({ id }) => String(id) === form.values.organization_id)?.today}
      onSubmit={() => void submit()}
      onClose={onClose}
    >
      <Select label="Organization" {...form.field('organization_id')}>
        <option value="">Please choose</option>
        {organizations.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
      <TextField
        label="Code"
        maxLength={CODE_CHARACTERS}
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
        hint="8 letters, digits or hyphens. Leave blank and we’ll choose one."
        {...form.field('code')}
      />
    </CodeDialog>
  );
}

function Issued({ code, onClose }: { code: IssuedCode; onClose: () => void }) {
  return (
    <Dialog open title="The code was issued" onClose={onClose} footer={<Button onClick={onClose}>Done</Button>}>
      <p className="font-display text-2xl font-bold tracking-wider tabular-nums">{code.code}</p>
      <p className="mt-1 text-sm text-quiet">
        {`For ${code.organization.name}, ${code.max_uses === 1 ? 'once' : `${formatCount(code.max_uses)} times`}.`}
      </p>
    </Dialog>
  );
}

/** Accounts that were created with a code, newest first. */
export function CodeUses({ code, onClose }: { code: IssuedCode; onClose: () => void }) {
  const { rows, more } = useMoreRows<'redemptions', Redemptions['redemptions'][number]>(null, 'redemptions', (query) =>
    api('GET /api/v1/promo_codes/{id}/redemptions', { params: { id: code.id }, query }),
  );
  const [wasPressed, setPressed] = useState(false);
  const isLoading = rows.length === 0 && more.hasMore && more.failure === null && !wasPressed;
  const loadFirst = useEffectEvent(() => void more.onMore());
  useEffect(() => loadFirst(), []);
  function press(): Promise<void> {
    setPressed(true);
    return more.onMore();
  }

  return (
    <Dialog open title={`Who used ${code.code}`} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div aria-live="polite" aria-busy={isLoading} className="min-h-24">
        {isLoading && <p className="text-sm text-quiet">Loading...</p>}
        {!more.hasMore && rows.length === 0 && <p className="text-sm text-quiet">No one yet.</p>}
        {rows.length > 0 && (
          <ul aria-label="Accounts" className="divide-y divide-line text-sm">
            {rows.map(({ id, account, redeemed_at }) => (
              <li key={id} className="flex items-baseline justify-between gap-4 py-2">
                <span className="min-w-0 break-words">
                  {account?.name ?? <span className="text-quiet">No longer known</span>}
                </span>
                <span className="shrink-0 text-quiet">
                  <DateText at={new Date(redeemed_at)} timeZone={code.organization.time_zone} />
                </span>
              </li>
            ))}
          </ul>
        )}
        {!isLoading && <ShowMore {...more} onMore={press} />}
      </div>
    </Dialog>
  );
}
