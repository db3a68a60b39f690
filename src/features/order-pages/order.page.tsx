/** `/:affiliate/order/:id`: the receipt, and the photos to download (specification P§2.4). */
import { useEffect, useRef } from 'react';
import { data, Link, useRevalidator, useSearchParams, type ShouldRevalidateFunctionArgs } from 'react-router';
import { ORDER_NOT_FOUND, type OrderAnswer } from '#src/features/orders/orders.contract.ts';
import { withdrawnText } from '#src/features/orders/withdrawn.contract.ts';
import { BoughtPhotoList } from '#src/features/downloads/ui/bought-photo.tsx';
import { orderHeading } from '#src/features/orders/receipt.rules.ts';
import {
  HelpedGoals,
  OrderReceipt,
  OrderStatusNote,
  PartnerList,
} from '#src/features/order-pages/ui/order-receipt.tsx';
import { dividedByPass } from '#src/features/order-pages/photos-of-passes.rules.ts';
import { PassBlock } from '#src/features/passes/ui/pass-block.tsx';
import { CreditBlock } from '#src/features/credit-shop/ui/credit-block.tsx';
import { SaveAll } from '#src/features/downloads/ui/save-all.tsx';
import type { Line } from '#src/features/downloads/ui/download-photo.ts';
import { useFinishedCart } from '#src/features/checkout/ui/finish-checkout.ts';
import { machineDay } from '#src/shared/dates.ts';
import { Download } from '#src/ui/icon.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { api } from '#src/web/api-client.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import type { RouteHandle } from '#src/web/route-handle.ts';
import type { Route } from './+types/order.page.ts';
import { SECRET_PAGE, secretMeta } from '#src/web/secret-page.ts';
import { useRepeated } from '#src/web/use-load.ts';

export const handle: RouteHandle = { layout: 'affiliate', hidesCart: true };

const POLL_EVERY_MS = 2_000;
const PASS_PHOTOS_FIRST = 12;
const LINK =
  'inline-flex min-h-11 items-center font-semibold text-ink underline decoration-line-strong underline-offset-4';

export const meta = () => secretMeta('Order Confirmation');

/** Anyone with its address can see the receipt, on the pages of the affiliate that sold it. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const order = await app.orders.read(caller, params.id);
  // Another organization may have the path of a deleted seller.
  const affiliate = context.get(affiliateContext);
  const isSeller = order.organization.id === affiliate.id;
  if (!isSeller && !(await app.organizations.deleted(order.organization.id)))
    throw data({ message: ORDER_NOT_FOUND }, { status: 404 });
  const passes = await Promise.all(
    openPasses(order).map(async ({ vanityId, pass }) => {
      const shown = await app.passes.onOrderPage({ vanityId, passId: pass.id }, PASS_PHOTOS_FIRST);
      return { vanityId, pass, ...shown };
    }),
  );
  return data(
    {
      order,
      passes,
      isSeller,
      affiliate: params.affiliate,
      address: `${url.host}/${params.affiliate}`,
      today: machineDay(new Date(), affiliate.timeZone),
      partners: app.site.printPartners,
    },
    { headers: { ...SECRET_PAGE, 'x-robots-tag': 'noindex' } },
  );
}

/** Opening a photo loads nothing; asking for the payment's outcome does. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const isStill = currentUrl.pathname === nextUrl.pathname && currentUrl.search !== nextUrl.search;
  return isStill ? false : defaultShouldRevalidate;
}

export function headers({ loaderHeaders }: Route.HeadersArgs) {
  return loaderHeaders;
}

export default function OrderPage({ loaderData }: Route.ComponentProps) {
  const { order, passes, isSeller, affiliate, partners } = loaderData;
  const { revalidate } = useRevalidator();
  usePolling(order);
  useFinishedCart(order);
  const { included, others } = dividedByPass(order.order_photo, passes);
  const lines = others.filter((line) => line.order_key !== null);
  const withdrawn = others.filter((line) => line.withdrawn);
  return (
    <Main className="max-w-5xl">
      <div className={order.credit_sold ? 'print:hidden' : ''}>
        <PageHeader title={orderHeading(order)} />
      </div>
      <OrderStatusNote order={order} sellerPath={affiliate} />
      {order.credit_sold && (
        <CreditBlock
          order={order}
          sold={order.credit_sold}
          sellerPath={affiliate}
          address={loaderData.address}
          today={loaderData.today}
          onReaddressed={() => void revalidate()}
        />
      )}
      {passes.length > 0 && (
        <div className="mb-8 flex flex-col gap-8">
          {passes.map((shown) => (
            <PassBlock key={shown.pass.id} {...shown} />
          ))}
          <ChosenInPass lines={included} />
          {lines.length === 0 && <HelpedGoals goals={order.goals} />}
        </div>
      )}
      {lines.length === 0 && withdrawn.length > 0 && (
        <p className="mb-6 max-w-2xl text-pretty">{withdrawnText(withdrawn)}</p>
      )}
      {lines.length > 0 && (
        <div className="flex flex-col gap-8">
          <div className="grid gap-8 md:grid-cols-2 md:items-start">
            <TakeHome order={order} lines={lines} />
            <HelpedGoals goals={order.goals} />
          </div>
          <BoughtPhotos order={order} lines={others} />
        </div>
      )}
      <div className="mt-8 print:hidden grid gap-6 md:grid-cols-2 md:items-start">
        <OrderReceipt order={order} />
        {partners.length > 0 && <PartnerList partners={partners} />}
      </div>
      <div className="mt-6 flex flex-col items-start gap-1 text-sm text-quiet print:hidden">
        {isSeller && (
          <Link to={`/${affiliate}`} className={LINK}>
            More photos of {order.organization.name}
          </Link>
        )}
        <p>
          Looking for another order?{' '}
          <Link to="/find-my-order" className={LINK}>
            Find my order
          </Link>
        </p>
      </div>
    </Main>
  );
}

/** The specification's sentence (P§2.4), and a button for all photos. */
function TakeHome({ order, lines }: { order: OrderAnswer; lines: readonly Line[] }) {
  return (
    <section aria-label="Take your photos home" className="flex flex-col gap-4">
      <p className="text-sm text-quiet">
        {lines.length === 1 ? 'Your image is ready to download!' : 'Your images are ready for download!'}
      </p>
      <SaveAll order={order} lines={lines} />
    </section>
  );
}

function openPasses({ vanity_id: vanityId, passes = [] }: OrderAnswer) {
  return vanityId === null ? [] : passes.filter((pass) => pass.order_key !== null).map((pass) => ({ vanityId, pass }));
}

const CHOSEN = 'chosen';

/** Photos of the cart that a pass includes: they stay the buyer's, even if the gallery is deleted. */
function ChosenInPass({ lines }: { lines: readonly Line[] }) {
  const [search] = useSearchParams();
  const details = useRef<HTMLDetailsElement>(null);
  const isOneOpen = search.get('photo')?.startsWith(CHOSEN) ?? false;
  // After a reload: closed, it would hide the open photo, which blocks the page.
  useEffect(() => {
    if (isOneOpen && details.current) details.current.open = true;
  }, [isOneOpen]);
  if (lines.length === 0) return null;
  return (
    <details ref={details}>
      <summary className="inline-flex min-h-11 cursor-pointer items-center font-semibold text-quiet underline decoration-line-strong underline-offset-4 hover:text-ink">
        {lines.length === 1 ? 'The photo that you chose' : `The ${lines.length} photos that you chose`}
      </summary>
      <BoughtPhotoList lines={lines} name={CHOSEN} />
    </details>
  );
}

function BoughtPhotos({ order, lines }: { order: OrderAnswer; lines: readonly Line[] }) {
  return (
    <section aria-labelledby="photos-heading">
      <h2 id="photos-heading" className="text-lg">
        {lines.length === 1 ? 'Your photo' : 'Your photos'}
      </h2>
      <p className="mt-1 max-w-2xl text-sm text-pretty text-quiet">
        {lines.length > 1 && (
          <>
            Download them one at a time with the{' '}
            <Download aria-hidden="true" className="inline size-4 align-text-bottom text-accent-text" /> arrow.{' '}
          </>
        )}
        There is no watermark, and this page stays available: keep its address, or the email we sent to{' '}
        <span className="break-words">{order.email_address}</span>.
      </p>
      <BoughtPhotoList lines={lines} name="bought" />
    </section>
  );
}

/** Polls while the payment is being confirmed. Uses the API, because a failed reload would replace the page with an error. */
function usePolling({ vanity_id: vanityId, status }: OrderAnswer): void {
  const { revalidate } = useRevalidator();
  async function poll(id: string, signal: AbortSignal): Promise<void> {
    const answer = await api('GET /api/v1/orders/{id}', { params: { id }, signal });
    if (answer.ok && answer.data.status !== 'pending') await revalidate();
  }
  useRepeated(POLL_EVERY_MS, status === 'pending' && vanityId !== null ? (signal) => poll(vanityId, signal) : null);
}
