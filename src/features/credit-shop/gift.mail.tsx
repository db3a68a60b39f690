/** The email that delivers a gift, once, on its day. */
import { shownCode } from '#src/features/credit/credit.rules.ts';
import { balancePath } from '#src/features/credit-shop/credit-shop.rules.ts';
import type { DueGift } from '#src/features/credit-shop/credit-shop.sql.ts';
import { MailCode, MailParagraph, writeEmail } from '#src/platform/mail/mail-kit.tsx';
import { withoutLinks, type Email } from '#src/platform/mail/mail.ts';
import { siteUrl, type SiteOrigin } from '#src/shared/addresses.ts';
import { shownDay } from '#src/shared/day-range.ts';
import { formatDollars } from '#src/shared/money.ts';

export const giftEmailKey = (codeId: number) => `credit-gift-${codeId}`;

/** Links are removed from the giver's text: the address may be anyone's. */
export function giftEmail(gift: DueGift, code: string, origin: SiteOrigin): Email {
  const { seller, leftCents, bonusLeftCents, bonusUntil } = gift;
  const worth = formatDollars(leftCents + bonusLeftCents);
  const ends =
    bonusLeftCents > 0 && bonusUntil !== null
      ? ` ${formatDollars(bonusLeftCents)} of it can be spent until ${shownDay(bonusUntil)}.`
      : '';
  return writeEmail({
    to: gift.email,
    dedupeKey: giftEmailKey(gift.codeId),
    subject: `A gift for you: ${worth} for photos at ${seller.name}`,
    preheader: `${withoutLinks(gift.from)} sends you ${worth} to spend on photos.`,
    brand: { name: seller.name, accent: seller.accent },
    heading: `${withoutLinks(gift.name)}, here is ${worth} for photos.`,
    body: (
      <>
        <MailParagraph>It is a gift from {withoutLinks(gift.from)}.</MailParagraph>
        {gift.message !== '' && <MailParagraph>“{withoutLinks(gift.message)}”</MailParagraph>}
        <MailCode>{shownCode(code)}</MailCode>
        <MailParagraph>
          Choose photos at {withoutLinks(seller.name)} and enter this code when you pay. Any balance stays on the code.
          What was paid never expires.{ends}
        </MailParagraph>
      </>
    ),
    button: { label: 'Use your gift', href: siteUrl(origin, seller.hostLabel, balancePath(seller.path, code)) },
    smallPrint: 'Anyone with the code can spend it, so keep it safe.',
  });
}
