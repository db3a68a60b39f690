import { useEffect, useState } from 'react';
import type { IssuedCode, Redemptions } from '#src/features/codes/issued-codes.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { DateText } from '#src/ui/date-text.tsx';
import { Dialog } from '#src/ui/dialog.tsx';
import { callApi, type ApiResult } from '#src/web/api-client.ts';

type Known = Redemptions['redemptions'];

/** One page, after an id. */
function read(codeId: number, after: number | null): Promise<ApiResult<Redemptions>> {
  const query = after === null ? '' : `?after=${after}`;
  return callApi<Redemptions>('GET', `/api/v1/promo_codes/${codeId}/redemptions${query}`);
}

/** Which accounts were made with a code, newest first. */
export function CodeUses({ code, onClose }: { code: IssuedCode; onClose: () => void }) {
  const [known, setKnown] = useState<Known | null>(null);
  const [next, setNext] = useState<number | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  function take(answer: ApiResult<Redemptions>): void {
    setFailure(answer.ok ? null : answer.error);
    if (!answer.ok) return;
    setKnown((now) => [...(now ?? []), ...answer.data.redemptions]);
    setNext(answer.data.next);
  }

  useEffect(() => {
    let isHere = true;
    void read(code.id, null).then((answer) => isHere && take(answer));
    return () => {
      isHere = false;
    };
  }, [code.id]);

  return (
    <Dialog open title={`Who used ${code.code}`} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <div aria-live="polite" aria-busy={known === null && failure === null} className="min-h-24">
        {known === null && failure === null && <p className="text-sm text-quiet">Loading...</p>}
        {known?.length === 0 && <p className="text-sm text-quiet">No one yet.</p>}
        {known !== null && known.length > 0 && (
          <ul aria-label="Accounts" className="divide-y divide-line text-sm">
            {known.map(({ id, account, redeemed_at }) => (
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
        {failure !== null && (
          <p role="alert" className="text-sm font-semibold text-danger">
            {failure}
          </p>
        )}
        {(next !== null || failure !== null) && (
          <Button variant="quiet" size="small" className="mt-2" onClick={() => void read(code.id, next).then(take)}>
            {failure === null ? 'Show more' : 'Try again'}
          </Button>
        )}
      </div>
    </Dialog>
  );
}
