import { useState } from 'react';
import type { CouponAnswer, CouponsPage } from '#src/features/coupons/coupon-editing.contract.ts';
import { conditionsOf, givesText, STATE_WORDS, usesText } from '#src/features/coupons/coupon-words.rules.ts';
import { CouponForm, type CouponChoices } from '#src/features/coupons/ui/coupon-form.tsx';
import { copyText } from '#src/features/sharing/ui/copy-gallery-link.ts';
import { dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { Button } from '#src/ui/button.tsx';
import { ConfirmCall } from '#src/web/confirm-call.tsx';
import { EmptyState } from '#src/ui/empty-state.tsx';
import { Plus, Tag, TriangleAlert } from '#src/ui/icon.tsx';
import { ShowMore } from '#src/ui/paging.tsx';
import { showToast } from '#src/ui/toast.ts';
import { api } from '#src/web/api-client.ts';
import { useMoreRows } from '#src/web/use-more-rows.ts';

type CouponListProps = {
  organizationId: number;
  first: CouponsPage;
  choices: CouponChoices;
  /** In the seller's zone. */
  today: string;
};
type Open = { what: 'form'; coupon: CouponAnswer | null } | { what: 'end'; coupon: CouponAnswer };

/** Codes, newest first; ended ones stay, with what they sold. */
export function CouponList({ organizationId, first, choices, today }: CouponListProps) {
  const {
    rows: coupons,
    setRows,
    more,
  } = useMoreRows(first, 'coupons', (query) =>
    api('GET /api/v1/affiliates/{id}/coupons', { params: { id: organizationId }, query }),
  );
  const [open, setOpen] = useState<Open | null>(null);
  const make = (
    <Button className="self-start" onClick={() => setOpen({ what: 'form', coupon: null })}>
      <Plus aria-hidden="true" />
      Create a code
    </Button>
  );

  function show(coupon: CouponAnswer, message: string): void {
    setOpen(null);
    setRows((known) =>
      known.some(({ id }) => id === coupon.id)
        ? known.map((each) => (each.id === coupon.id ? coupon : each))
        : [coupon, ...known],
    );
    showToast(message, 'success');
  }

  return (
    <div className="flex min-w-0 flex-col gap-5">
      {coupons.length === 0 ? (
        <EmptyState icon={<Tag />} title="No codes yet" action={make}>
          A code gives a discount to everyone who has it: “20% off until Sunday”, “2 photos free for the team”.
        </EmptyState>
      ) : (
        <>
          {make}
          <ul aria-label="Codes" className="flex flex-col gap-3">
            {coupons.map((coupon) => (
              <li key={coupon.id} className="rounded-lg border border-line bg-surface p-4">
                <CouponCard
                  coupon={coupon}
                  onChange={() => setOpen({ what: 'form', coupon })}
                  onEnd={() => setOpen({ what: 'end', coupon })}
                />
              </li>
            ))}
          </ul>
        </>
      )}
      <ShowMore {...more} />
      {open?.what === 'form' && (
        <CouponForm
          organizationId={organizationId}
          coupon={open.coupon}
          choices={choices}
          today={today}
          onClose={() => setOpen(null)}
          onSaved={(coupon) => show(coupon, open.coupon === null ? `${coupon.code} is ready` : 'Code saved')}
        />
      )}
      {open?.what === 'end' && (
        <EndCoupon
          coupon={open.coupon}
          organizationId={organizationId}
          onClose={() => setOpen(null)}
          onEnded={(coupon) => show(coupon, 'Code ended')}
        />
      )}
    </div>
  );
}

function CouponCard({ coupon, onChange, onEnd }: { coupon: CouponAnswer; onChange: () => void; onEnd: () => void }) {
  const { word, tone } = STATE_WORDS[coupon.state];
  const conditions = conditionsOf(coupon);
  const isOver = coupon.state === 'ended';
  const figures = [
    ['Used', usesText(coupon)],
    ['Sold', dollarText(coupon.sold)],
    ['Saved by buyers', dollarText(coupon.saved)],
  ] as const;
  return (
    <div className="flex flex-col gap-2 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong className="font-display text-lg font-bold tracking-wider break-all">{coupon.code}</strong>
        <Badge tone={tone}>{word}</Badge>
      </div>
      <p>
        <strong className="font-semibold">{givesText(coupon)}</strong>
        {conditions.length > 0 && <span className="text-quiet">{` · ${conditions.join(' · ')}`}</span>}
      </p>
      {!isOver &&
        coupon.warnings.map((text) => (
          <p key={text} className="flex items-start gap-2">
            <TriangleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warning" />
            {text}
          </p>
        ))}
      <dl className="flex flex-wrap gap-x-5 gap-y-1">
        {figures.map(([name, value]) => (
          <div key={name} className="flex gap-1.5">
            <dt className="text-quiet">{name}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {!isOver && (
        <div className="-my-1 -ml-3 flex flex-wrap">
          <Button variant="quiet" size="small" onClick={() => void copyText(coupon.code, `${coupon.code} copied`)}>
            Copy<span className="sr-only"> {coupon.code}</span>
          </Button>
          <Button variant="quiet" size="small" onClick={onChange}>
            Change<span className="sr-only"> {coupon.code}</span>
          </Button>
          <Button variant="quiet" size="small" onClick={onEnd}>
            End<span className="sr-only"> {coupon.code}</span>
          </Button>
        </div>
      )}
    </div>
  );
}

type EndCouponProps = {
  coupon: CouponAnswer;
  organizationId: number;
  onClose: () => void;
  onEnded: (coupon: CouponAnswer) => void;
};

function EndCoupon({ coupon, organizationId, onClose, onEnded }: EndCouponProps) {
  const params = { id: organizationId, couponId: coupon.id };
  return (
    <ConfirmCall
      title="End this code?"
      confirmLabel="End code"
      busy="Ending..."
      call={() => api('POST /api/v1/affiliates/{id}/coupons/{couponId}/end', { params })}
      onDone={onEnded}
      onCancel={onClose}
    >
      <p>
        <strong className="font-semibold break-all text-ink">{coupon.code}</strong> can no longer be used. Orders that
        used it don’t change.
      </p>
    </ConfirmCall>
  );
}
