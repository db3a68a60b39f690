/** `/:affiliate/order/:id`: the receipt, and the photos to take home (specification P§2.4). */
import { useEffect } from 'react';
import { data, useRevalidator } from 'react-router';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { ORDER_NOT_FOUND, PAYMENT_PENDING } from '#src/features/orders/orders.contract.ts';
import { BoughtPhoto } from '#src/features/orders/ui/bought-photo.tsx';
import { PartnerList } from '#src/features/orders/ui/partner-list.tsx';
import { useFinishedCart } from '#src/features/orders/ui/use-finished-cart.ts';
import { formatDollars, parseDollarNumber, ZERO } from '#src/shared/money.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Card } from '#src/ui/card.tsx';
import { Download } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { Spinner } from '#src/ui/spinner.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/order.page.ts';

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

const ASK_AGAIN_MS = 2_000;
const shown = (dollars: number) => formatDollars(parseDollarNumber(dollars) ?? ZERO);

export function meta() {
  return [
    { title: 'Order Confirmation' },
    { name: 'robots', content: 'noindex' },
    { name: 'referrer', content: 'no-referrer' },
  ];
}

/** The receipt belongs to whoever holds its address, on the affiliate that sold it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller } = context.get(requestContext);
  const order = await app.orders.read(caller, params.id);
  if (order.organization.id !== context.get(affiliateContext).id)
    throw data({ message: ORDER_NOT_FOUND }, { status: 404 });
  return data(
    { order, affiliate: params.affiliate },
    { headers: { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order } = loaderData;
  usePolling(order.status === 'pending');
  useFinishedCart(order);
  const count = order.order_photo.length;
  const isPaid = order.status === 'paid' || order.status === 'partially_refunded';
  return (
    <Main className="max-w-5xl">
      <PageHeader title="Order Confirmation" subtitle={<span>Thank you, {order.first_name}.</span>} />
      <Standing order={order} />
      {isPaid && (
        <section aria-labelledby="photos-heading">
          <h2 id="photos-heading" className="text-lg">
            {count === 1 ? 'Your image is ready to download!' : 'Your images are ready for download!'}
          </h2>
          <p className="mt-1 text-sm text-quiet">
            {count === 1
              ? 'Press the arrow to take it home.'
              : 'Download them one at a time with the arrow beside each photo.'}{' '}
            They carry no watermark, and this page stays open to you: keep its address, or the mail we sent to{' '}
            {order.email_address}.
          </p>
          {order.order_photo.filter((line) => line.order_key !== null).length > 1 && <DownloadAll order={order} />}
          <ul className="mt-5 grid gap-5 sm:grid-cols-2">
            {order.order_photo.map((line) => (
              <BoughtPhoto key={line.id} line={line} />
            ))}
          </ul>
        </section>
      )}
      <div className="mt-8 grid gap-6 md:grid-cols-[1fr_18rem] md:items-start">
        <Receipt order={order} />
        <PartnerList />
      </div>
    </Main>
  );
}

/** The browser takes the archive by itself: it shows how far it is and goes on where it broke off. */
function DownloadAll({ order }: { order: OrderAnswer }) {
  return (
    <a href={`/api/v1/orders/${order.vanity_id}/download.zip`} download className={buttonStyle({ className: 'mt-4' })}>
      <Download aria-hidden="true" />
      Download all
    </a>
  );
}

/** Asks again while the payment is being confirmed. */
function usePolling(isPending: boolean): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (!isPending) return;
    const timer = setInterval(() => void revalidate(), ASK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [isPending, revalidate]);
}

function Standing({ order }: { order: OrderAnswer }) {
  if (order.status === 'pending') {
    return (
      <div className="mb-6">
        <Notice>
          <span role="status" className="flex items-center gap-3">
            <Spinner />
            {PAYMENT_PENDING} This page goes on by itself; nothing is charged twice.
          </span>
        </Notice>
      </div>
    );
  }
  if (order.status === 'failed') {
    return (
      <div className="mb-6">
        <Notice tone="warning">{order.error ?? 'This payment did not come about.'} You were not charged.</Notice>
      </div>
    );
  }
  if (order.status === 'refunded') {
    return (
      <div className="mb-6">
        <Notice>This order was refunded; its downloads are closed.</Notice>
      </div>
    );
  }
  return null;
}

function Receipt({ order }: { order: OrderAnswer }) {
  const count = order.order_photo.length;
  const card = readCard(order.stripe_token_full);
  const rows: [string, string][] = [
    ['Order number', String(order.id)],
    ['Name', `${order.first_name} ${order.last_name}`],
    ['Email', order.email_address],
    [count === 1 ? '1 photo' : `${count} photos`, shown(order.subtotal)],
    ['Taxes', shown(order.tax)],
    ['Total', shown(order.subtotal + order.tax)],
    ['Additional donation', order.additional_donation],
    ...(card ? ([['Paid with', card]] as [string, string][]) : []),
    ...(order.organization.tax_id ? ([['Tax ID', order.organization.tax_id]] as [string, string][]) : []),
  ];
  return (
    <Card className="p-5 sm:p-6">
      <h2 className="text-lg">{order.organization.name}</h2>
      <dl className="mt-4 flex flex-col gap-2.5 text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="flex flex-wrap justify-between gap-x-6">
            <dt className="text-quiet">{label}</dt>
            <dd className="min-w-0 break-words tabular-nums">{value}</dd>
          </div>
        ))}
        <div className="mt-1 flex justify-between gap-6 border-t border-line pt-3 text-base font-bold">
          <dt>Total price</dt>
          <dd className="tabular-nums">{shown(order.total)}</dd>
        </div>
      </dl>
    </Card>
  );
}

/** "Visa ending in 4242" of the receipt's card text; null for free orders. */
function readCard(text: string | null): string | null {
  if (text === null) return null;
  const { card } = JSON.parse(text) as { card?: { brand?: string; last4?: string } };
  const brand = card?.brand ?? 'card';
  return card?.last4 ? `${brand.charAt(0).toUpperCase()}${brand.slice(1)} ending in ${card.last4}` : null;
}
