/** `/:affiliate/order/:id`: the receipt, and the photos to take home (specification P§2.4). */
import { useEffect } from 'react';
import { data, Link, useRevalidator } from 'react-router';
import type { OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { ORDER_NOT_FOUND } from '#src/features/orders/orders.contract.ts';
import { BoughtPhoto } from '#src/features/orders/ui/bought-photo.tsx';
import { OrderReceipt } from '#src/features/orders/ui/order-receipt.tsx';
import { OrderStanding } from '#src/features/orders/ui/order-standing.tsx';
import { PartnerList } from '#src/features/orders/ui/partner-list.tsx';
import { useFinishedCart } from '#src/features/orders/ui/use-finished-cart.ts';
import { buttonStyle } from '#src/ui/button-style.ts';
import { Download } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { callApi } from '#src/web/api-client.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/order.page.ts';

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

const ASK_AGAIN_MS = 2_000;

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
  // Somebody else may have the path of a seller that was deleted.
  const isSeller = order.organization.id === context.get(affiliateContext).id;
  if (!isSeller && !(await app.organizations.deleted(order.organization.id)))
    throw data({ message: ORDER_NOT_FOUND }, { status: 404 });
  return data(
    { order, affiliate: params.affiliate, partners: app.site.printPartners },
    { headers: { 'cache-control': 'private, no-store', 'referrer-policy': 'no-referrer', 'x-robots-tag': 'noindex' } },
  );
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order, affiliate, partners } = loaderData;
  usePolling(order);
  useFinishedCart(order);
  const isOpen = order.status === 'paid' || order.status === 'partially_refunded';
  return (
    <Main className="max-w-5xl">
      <PageHeader title="Order Confirmation" subtitle={<span>Thank you, {order.first_name}.</span>} />
      <OrderStanding order={order} sellerPath={affiliate} />
      {isOpen && <Downloads order={order} />}
      <div className="mt-8 grid gap-6 md:grid-cols-[1fr_18rem] md:items-start">
        <OrderReceipt order={order} />
        <PartnerList partners={partners} />
      </div>
      <p className="mt-6 text-sm text-quiet">
        Looking for another order?{' '}
        <Link
          to="/find-my-order"
          className="inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4"
        >
          Find my order
        </Link>
      </p>
    </Main>
  );
}

function Downloads({ order }: { order: OrderAnswer }) {
  const count = order.order_photo.filter((line) => line.order_key !== null).length;
  return (
    <section aria-labelledby="photos-heading">
      <div className="flex flex-wrap items-start justify-between gap-x-8 gap-y-4">
        <div className="max-w-2xl">
          <h2 id="photos-heading" className="text-lg">
            {count === 1 ? 'Your image is ready to download!' : 'Your images are ready for download!'}
          </h2>
          <p className="mt-1 text-sm text-pretty text-quiet">
            {count === 1 ? (
              <>
                Press the <ArrowIcon /> arrow to take it home.
              </>
            ) : (
              <>
                Download them one at a time with the <ArrowIcon /> arrow beside each photo, or all together.
              </>
            )}{' '}
            {count === 1 ? 'It carries' : 'They carry'} no watermark, and this page stays open to you: keep its address,
            or the mail we sent to <span className="break-words">{order.email_address}</span>.
          </p>
        </div>
        {count > 1 && <DownloadAll order={order} count={count} />}
      </div>
      <ul className="mt-5 grid gap-5 sm:grid-cols-2">
        {order.order_photo.map((line) => (
          <BoughtPhoto key={line.id} line={line} />
        ))}
      </ul>
    </section>
  );
}

const ArrowIcon = () => <Download aria-hidden="true" className="inline size-4 align-text-bottom text-accent-text" />;

/** The browser takes the archive by itself: it shows how far it is and goes on where it broke off. */
function DownloadAll({ order, count }: { order: OrderAnswer; count: number }) {
  return (
    <a
      href={`/api/v1/orders/${order.vanity_id}/download.zip`}
      download
      className={buttonStyle({ variant: 'secondary' })}
    >
      <Download aria-hidden="true" />
      Download all {count}
    </a>
  );
}

/** Asks again while the payment is being confirmed. By a call of its own, so that a lost network takes nothing off the page. */
function usePolling({ vanity_id: vanityId, status }: OrderAnswer): void {
  const { revalidate } = useRevalidator();
  useEffect(() => {
    if (status !== 'pending') return;
    const stop = new AbortController();
    let timer = setTimeout(look, ASK_AGAIN_MS);
    async function look(): Promise<void> {
      try {
        const answer = await callApi<OrderAnswer>('GET', `/api/v1/orders/${vanityId}`, { signal: stop.signal });
        if (answer.ok && answer.data.status !== 'pending') return void revalidate();
        timer = setTimeout(look, ASK_AGAIN_MS);
      } catch {
        // The page was left.
      }
    }
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [status, vanityId, revalidate]);
}
