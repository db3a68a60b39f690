/** The email that a buyer keeps: what was bought, what it cost, where to download it. */
import { cardName } from '#src/features/billing/subscriptions.rules.ts';
import { frozenPriceList, pricingRow } from '#src/features/order-offers/quoted-offers.rules.ts';
import { passSentence } from '#src/features/order-offers/sold-passes.rules.ts';
import { isDownloadable } from '#src/features/orders/orders.rules.ts';
import { creditLine, creditSentence, shownCode, type SoldCredit } from '#src/features/credit/credit.rules.ts';
import { notSold } from '#src/features/orders/withdrawn.contract.ts';
import { closedSentence, orderPath, taxOf, type Sale } from '#src/features/orders/receipt.rules.ts';
import { MailButton, MailCode, MailFacts, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { formatDollars } from '#src/shared/money.ts';

/** Longer lists end with "and 7 more", to keep the email short. */
const PHOTOS_NAMED = 30;

/** Queued once for each order by its dedupe key, whichever process settles it. A later one shows the order's current status. */
export function receiptEmail(receipt: Sale, origin: SiteOrigin, code: string | null = null): Email {
  if (receipt.soldCredit) return creditReceiptEmail(receipt, receipt.soldCredit, origin, code);
  const { seller, lines } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const left = lines.filter(({ isUnsold }) => isUnsold);
  const unsold = left.length;
  const withdrawn = notSold(unsold, { isPaid: left.some(({ priceCents }) => priceCents > 0) });
  const one = lines.length - unsold === 1;
  const isPaid = isDownloadable(receipt.status);
  const isOpen = isPaid && (unsold === 0 || unsold < lines.length || receipt.passes.length > 0);
  const ready = one ? 'Your image is ready to download!' : 'Your images are ready for download!';
  const statusText = isOpen
    ? `${ready} ${one ? 'It comes' : 'They come'} without the watermark, in full size.`
    : isPaid
      ? withdrawn
      : closedSentence(receipt);
  const action = isOpen ? (one ? 'Download your photo' : 'Download your photos') : 'Open your order';
  return writeEmail({
    to: receipt.email,
    dedupeKey: `receipt-${receipt.vanityId}`,
    subject: isOpen ? `Your photos from ${seller.name}` : `Your order from ${seller.name}`,
    preheader: isOpen ? `${ready} Your receipt is inside.` : statusText,
    brand,
    heading: thanks(receipt),
    body: (
      <>
        <MailParagraph>{statusText}</MailParagraph>
        <MailButton brand={brand} href={siteUrl(origin, seller.hostLabel, orderPath(receipt))}>
          {action}
        </MailButton>
        {isOpen && unsold > 0 && <MailParagraph>{withdrawn}</MailParagraph>}
        {receipt.passes.map((pass) => (
          <MailParagraph key={pass.id}>
            {withoutLinks(pass.name)}: {passSentence(pass)}
          </MailParagraph>
        ))}
        {receipt.offered && lines.length > 0 && <MailParagraph quiet>Photos: {photoNames(receipt)}</MailParagraph>}
        {receipt.offered && <MailParagraph>How your price is made:</MailParagraph>}
        <MailFacts rows={factRows(receipt)} sumLast />
      </>
    ),
    smallPrint: smallPrint(receipt),
  });
}

/** Credit that was bought. Only the first email has `code`; the order's page shows it while it can be spent. */
function creditReceiptEmail(receipt: Sale, sold: SoldCredit, origin: SiteOrigin, code: string | null): Email {
  const { seller } = receipt;
  const brand = { name: seller.name, accent: seller.accent };
  const isOpen = isDownloadable(receipt.status);
  const sentence = withoutLinks(creditSentence(sold));
  return writeEmail({
    to: receipt.email,
    dedupeKey: `receipt-${receipt.vanityId}`,
    subject: `Your credit at ${seller.name}`,
    preheader: sentence,
    brand,
    heading: thanks(receipt),
    body: (
      <>
        <MailParagraph>{isOpen ? sentence : closedSentence(receipt, true)}</MailParagraph>
        {code !== null && isOpen && <MailCode>{shownCode(code)}</MailCode>}
        <MailButton brand={brand} href={siteUrl(origin, seller.hostLabel, orderPath(receipt))}>
          {sold.gift ? 'Open and print the gift card' : 'Open your credit'}
        </MailButton>
        <MailFacts rows={factRows(receipt)} sumLast />
      </>
    ),
    smallPrint: `Anyone with the code can spend it, so keep it safe. Paid credit never expires. ${smallPrint(receipt)}`,
  });
}

/** A free order costs its sender nothing, so its email contains none of their words (threat 31). */
const thanks = ({ totalCents, firstName }: Sale): string =>
  totalCents === 0 ? 'Thank you.' : `Thank you, ${withoutLinks(firstName)}.`;

type FactRow = { name: string; value: string };

function photoNames({ lines }: Sale): string {
  const named = lines.slice(0, PHOTOS_NAMED).map((line) => withoutLinks(line.name));
  const others = lines.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}.`;
}

/** With offers, single photos have no prices of their own: the list is the one of the order's page. */
function priceRows(receipt: Sale): FactRow[] {
  const { lines, offered, soldCredit, subtotalCents } = receipt;
  if (soldCredit) return [{ name: 'Prepaid credit', value: formatDollars(soldCredit.cents) }];
  if (offered)
    return frozenPriceList(offered, lines, subtotalCents)
      .map(pricingRow)
      .map(({ name, value }) => ({ name: withoutLinks(name), value }));
  const named = lines.slice(0, PHOTOS_NAMED).map((line) => ({
    name: withoutLinks(line.name),
    value: formatDollars(line.priceCents),
  }));
  const others = lines.slice(PHOTOS_NAMED);
  return [
    ...named,
    ...(others.length > 0
      ? [
          {
            name: `and ${others.length} more`,
            value: formatDollars(others.reduce((sum, line) => sum + line.priceCents, 0)),
          },
        ]
      : []),
  ];
}

function factRows(receipt: Sale): FactRow[] {
  return [
    ...priceRows(receipt),
    ...(receipt.taxCents > 0
      ? [{ name: `Taxes (${withoutLinks(taxOf(receipt))})`, value: formatDollars(receipt.taxCents) }]
      : []),
    ...(receipt.donationCents > 0
      ? [{ name: 'Additional donation', value: formatDollars(receipt.donationCents) }]
      : []),
    ...(receipt.refundedCents > 0
      ? [
          { name: 'Total', value: formatDollars(receipt.totalCents) },
          { name: 'Refunded', value: `−${formatDollars(receipt.refundedCents)}` },
          { name: 'Total paid', value: formatDollars(receipt.totalCents - receipt.refundedCents) },
        ]
      : [{ name: 'Total', value: formatDollars(receipt.totalCents) }]),
    ...creditRows(receipt),
  ];
}

/** After the total, because credit pays tax and donation, too. */
function creditRows({ offered, totalCents, creditCents }: Sale): FactRow[] {
  const spent = (offered?.credit ?? []).filter((code) => code.cents > 0);
  if (spent.length === 0) return [];
  return [
    ...spent.map((code) => pricingRow({ text: creditLine(code.last4, code.cents), amount: code.cents / -100 })),
    { name: 'Paid by card', value: formatDollars(totalCents - creditCents) },
  ];
}

function smallPrint({ id, card, seller, kind }: Sale): string {
  const paid = card === null ? '' : ` Paid with ${cardName(card)}.`;
  const taxId = seller.taxId === null ? '' : ` ${withoutLinks(seller.name)}, Tax ID ${withoutLinks(seller.taxId)}.`;
  return `Order ${id}.${paid}${taxId} Keep this email: its link is your receipt${kind === 'credit' ? '.' : ' and opens your downloads. For personal, non-commercial use.'}`;
}
