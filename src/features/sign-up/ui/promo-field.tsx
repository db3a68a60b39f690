/** A promo code and its Apply button; only where the organization takes codes (rule 22). */
import { useState } from 'react';
import { PROMO_CODE_MAX, PROMO_CODE_NOT_VALID } from '#src/features/billing/billing.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { CONTROL } from '#src/ui/control-style.ts';
import { Field } from '#src/ui/field.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { callApi } from '#src/web/api-client.ts';

type PromoFieldProps = {
  code: string;
  /** The code that pays for the account, once the server has said so. */
  acceptedCode: string | null;
  errors: readonly string[];
  onType: (code: string) => void;
  onAccept: (code: string) => void;
};

export function PromoField({ code, acceptedCode, errors, onType, onAccept }: PromoFieldProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function apply() {
    const asked = code.trim();
    if (asked === '') return;
    setIsAsking(true);
    setProblem(null);
    const answer = await callApi<{ status: boolean }>('POST', '/api/v1/promocode/', { body: { promo_code: asked } });
    setIsAsking(false);
    if (!answer.ok) setProblem(answer.error);
    else if (!answer.data.status) setProblem(PROMO_CODE_NOT_VALID);
    else onAccept(asked);
  }

  return (
    <div className="flex flex-col gap-3">
      <Field label="Promo code" errors={problem === null ? errors : [problem]}>
        {(control) => (
          <div className="flex gap-2">
            <input
              {...control}
              type="text"
              name="promo_code"
              autoComplete="off"
              autoCapitalize="characters"
              spellCheck={false}
              maxLength={PROMO_CODE_MAX}
              value={code}
              onChange={(event) => {
                setProblem(null);
                onType(event.target.value);
              }}
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return;
                event.preventDefault();
                void apply();
              }}
              className={`${CONTROL} min-w-0 flex-1 uppercase`}
            />
            <Button variant="secondary" busy={isAsking && 'Applying...'} onClick={() => void apply()}>
              Apply
            </Button>
          </div>
        )}
      </Field>
      <div role="status" className="empty:sr-only">
        {acceptedCode !== null && <Notice tone="success">This code pays for your account. No card is needed.</Notice>}
      </div>
    </div>
  );
}
