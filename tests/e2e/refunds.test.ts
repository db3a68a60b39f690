/** Refunds and the comparison of books: a member requests, a platform admin refunds, and the demo's sums are right. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KIND_WORDS } from '#src/features/reconciliation/reconciliation.contract.ts';
import { moreThanLeft, REASON_REQUIRED, REQUEST_SENT } from '#src/features/refunds/refunds.contract.ts';
import { DEMO_ADMIN, DEMO_ORGANIZATIONS, DEMO_PASSWORD } from '#src/demo/demo-plan.ts';
import { asOwnerOf, ownGallery, type OwnGallery } from '#tests/e2e/own-gallery.ts';
import { checkAxe, launchBrowser, listenForComplaints, scrollsSideways, VIEWPORTS } from '#tests/support/browser.ts';
import { useRunningSite } from '#tests/support/running-site.ts';
import { rowsOf } from '#tests/support/site-database.ts';
import { ADMIN, openAs } from '#tests/e2e/signed-in.ts';

const site = useRunningSite();
let browser: Browser;
const orderIds: number[] = [];

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

type Sold = { own: OwnGallery; orderId: number; vanityId: string };

/** An order of $9.00 at a club of the test's own. */
async function sell(): Promise<Sold> {
  const own = await ownGallery(site.port, 2);
  const token = await own.call<object>('POST', '/sandbox/tokens', {
    number: '4242424242424242',
    exp_month: 12,
    exp_year: 2040,
    cvc: '123',
    zip: '55401',
  });
  const placed = await own.call<{ vanity_id: string }>('POST', '/api/v1/orders', {
    order: {
      user: {
        first_name: 'Rosa',
        last_name: 'Refund',
        email: 'rosa@refunds.test',
        confirm_email: 'rosa@refunds.test',
        zip: '55401',
      },
      donation: '$5.00',
      taxes: 0,
      subtotal: 4,
      org_id: own.affiliateId,
      donation_gallery_id: own.galleryId,
      checkout_key: `walk-of-a-refund-${own.affiliateId}`,
    },
    stripe_token: token,
    items: own.photoIds.map((id) => ({ id, gallery_id: own.galleryId, sales_price: 2 })),
  });
  const vanityId = placed.vanity_id;
  const { id: orderId } = await own.call<{ id: number }>('GET', `/api/v1/orders/${vanityId}`);
  orderIds.push(orderId);
  return { own, orderId, vanityId };
}

async function expectSound(page: Page): Promise<void> {
  expect(await checkAxe(page)).toEqual([]);
  expect(await scrollsSideways(page)).toBe(false);
}

async function asAdmin(
  viewport: keyof typeof VIEWPORTS,
  path: string,
  work: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({ viewport: VIEWPORTS[viewport] });
  try {
    const page = await context.newPage();
    const complaints = listenForComplaints(page);
    await openAs(page, ADMIN, site.url(path, 'www'));
    await work(page);
    // A refusal that asks for the password is not an error of the page.
    expect(complaints().filter((line) => !line.includes('401'))).toEqual([]);
  } finally {
    await context.close();
  }
}

describe('a refund', () => {
  test('is requested by a member on a phone, who sees what is missing', async () => {
    const { own, orderId } = await sell();
    await asOwnerOf(own, browser, { viewport: VIEWPORTS.phone }, async (page) => {
      await page.goto(own.at('/report'));
      await page.getByRole('link', { name: 'Orders', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'Orders' }).waitFor();
      await expectSound(page);
      await page.getByRole('searchbox', { name: 'Search orders' }).fill('refund');
      await page.getByRole('button', { name: `Request a refund of order ${orderId}` }).click();
      const dialog = page.getByRole('dialog', { name: 'Request a refund' });
      await dialog.getByLabel('Amount').fill('9.01');
      await dialog.getByRole('button', { name: 'Request a refund' }).click();
      await dialog.getByText(REASON_REQUIRED).waitFor();
      await dialog.getByLabel('Why').fill('Rosa bought the wrong game.');
      await dialog.getByRole('button', { name: 'Request a refund' }).click();
      await dialog.getByText(moreThanLeft('$9.00')).waitFor();
      await expectSound(page);
      await dialog.getByText('Choose photos').click();
      await dialog.getByRole('checkbox').nth(1).check();
      await expect.poll(() => dialog.getByLabel('Amount').inputValue()).toBe('2.00');
      await expectSound(page);
      await dialog.getByRole('button', { name: 'Request a refund' }).click();
      await page.getByText(REQUEST_SENT).waitFor();
      await page.getByText('Refund requested').last().waitFor();
    });
  });

  test('is given by a platform admin, after the password, and seen by the member', async () => {
    const { own, orderId, vanityId } = await sell();
    await own.call('POST', `/api/v1/orders/${orderId}/refund_requests`, {
      amount: 4,
      reason: 'Rosa bought the wrong day.',
    });
    await asAdmin('desktop', `/admin/refunds?search=${orderId}`, async (page) => {
      await page.getByText('Rosa bought the wrong day.').first().waitFor();
      await expectSound(page);
      await rowsOf(
        site,
        `update sessions set confirmed_at = now() - interval '11 minutes' where user_id = (select id from users where email = $1)`,
        [DEMO_ADMIN.email],
      );
      await page.getByRole('button', { name: 'Refund…' }).first().click();
      const dialog = page.getByRole('dialog', { name: `Refund order ${orderId}` });
      await expect.poll(() => dialog.getByLabel('Amount').inputValue()).toBe('4.00');
      await dialog.getByText('Sideline’s share').waitFor();
      await expectSound(page);
      await dialog.getByText('Choose photos').click();
      await dialog.getByRole('checkbox').first().check();
      await dialog.getByRole('button', { name: 'Refund $2.00' }).waitFor();
      await dialog.getByText('The downloads of what you chose close').waitFor();
      await dialog.getByRole('checkbox').first().uncheck();
      await dialog.getByRole('button', { name: 'Refund $9.00' }).waitFor();
      await dialog.getByLabel('Amount').fill('4');
      await dialog.getByRole('button', { name: 'Refund $4.00' }).click();
      await page.getByLabel('Your current password').fill(DEMO_PASSWORD);
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.getByText('$4.00 was refunded.').first().waitFor();
      await page.getByRole('row', { name: new RegExp(`${orderId}.*Rosa Refund.*Refunded.*\\$4\\.00`) }).waitFor();
      // The request is answered.
      await expect.poll(() => page.locator('blockquote', { hasText: 'Rosa bought the wrong day.' }).count()).toBe(0);
    });
    await asOwnerOf(own, browser, { viewport: VIEWPORTS.desktop }, async (page) => {
      await page.goto(own.at(`/orders?search=${vanityId}`));
      await page.getByRole('row', { name: /Rosa Refund.*\$9\.00.*\$4\.00.*Partly refunded/ }).waitFor();
      await expectSound(page);
    });
  });
});

describe('the books', () => {
  test('are compared on demand, and both sides are shown', async () => {
    await asAdmin('phone', '/admin/reconciliation', async (page) => {
      await page.getByRole('button', { name: 'Run now' }).click();
      await page.getByText('requested by').first().waitFor();
      await page.getByRole('button', { name: 'Run now' }).waitFor();
      await page.getByRole('row', { name: /Payments \$[\d,.]+/ }).waitFor();
      await expectSound(page);
    });
    const own_ = await rowsOf<{ kind: keyof typeof KIND_WORDS }>(
      site,
      `select kind from reconciliation_differences where state = 'open' and order_id in (select o.id from orders o join organizations s on s.id = o.organization_id
        where s.domain_name = any ($1) or o.id = any ($2))`,
      [DEMO_ORGANIZATIONS.map(({ path }) => path), orderIds],
    );
    expect(own_.map(({ kind }) => KIND_WORDS[kind].title)).toEqual([]);
  });

  test('of the demo sum to zero, and agree with the provider and the reports', async () => {
    const [zero] = await rowsOf<{ sum: string }>(site, 'select sum(amount_cents) as sum from ledger_entries');
    expect(Number(zero?.sum)).toBe(0);
    const paths = DEMO_ORGANIZATIONS.map(({ path }) => path);
    const sums = await rowsOf<Record<string, number>>(
      site,
      `with demo as (select o.id, o.total_cents, o.refunded_cents, o.organization_id from orders o join organizations s on s.id = o.organization_id
                      where s.domain_name = any ($1) and o.processor = 'platform' and o.paid_at is not null),
            charged as (select c.amount_cents, c.fee_cents, (select coalesce(sum(r.amount_cents), 0) from sandbox_provider.refunds r where r.charge_id = c.id) as back
                          from demo join payment_attempts a on a.order_id = demo.id and a.kind = 'charge' and a.state = 'succeeded'
                          join sandbox_provider.charges c on c.id = a.provider_ref),
            booked as (select sum(e.amount_cents) filter (where k.kind = 'provider_clearing') as taken from ledger_entries e
                         join ledger_accounts k on k.id = e.account_id join ledger_txs t on t.id = e.tx_id and t.source_type in ('order', 'refund')
                        where e.order_id in (select id from demo))
       select (select sum(total_cents)::int from demo) as paid, (select sum(amount_cents)::int from charged) as charged,
              (select sum(refunded_cents)::int from demo) as refunded, (select sum(back)::int from charged) as back,
              (select taken::int from booked) as taken, (select sum(amount_cents - fee_cents - back)::int from charged) as kept,
              (select count(*)::int from demo) as orders`,
      [paths],
    );
    const [sum] = sums;
    expect(sum?.['orders']).toBeGreaterThan(40);
    expect([sum?.['charged'], sum?.['back'], sum?.['taken']]).toEqual([
      sum?.['paid'],
      sum?.['refunded'],
      sum?.['kept'],
    ]);
  });
});
