/** The printers that the operator has agreed with (`PRINT_PARTNERS`). The links tell them nothing about the order (threat 77). */
import { Card } from '#src/ui/card.tsx';
import { ExternalLink } from '#src/ui/icon.tsx';

export type PrintPartner = { name: string; address: string };

export function PartnerList({ partners }: { partners: readonly PrintPartner[] }) {
  return (
    <Card className="p-5">
      <h2 className="text-base font-bold">Our Partners</h2>
      <p className="mt-1 text-sm text-quiet">Your photos look good on paper, too.</p>
      <ul className="mt-3 flex flex-col gap-3 text-sm">
        {partners.map(({ name, address }) => (
          <li key={address}>
            <a
              href={address}
              rel="noreferrer noopener"
              target="_blank"
              className="inline-flex min-h-11 items-center gap-1.5 font-semibold underline decoration-line-strong underline-offset-4 pointer-fine:min-h-6"
            >
              {name}
              <ExternalLink aria-hidden="true" className="size-4 text-quiet" />
            </a>
            <p className="text-quiet">{new URL(address).hostname.replace(/^www\./, '')}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
