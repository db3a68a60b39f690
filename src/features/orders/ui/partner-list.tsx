/** Two printers for those who want paper (specification P§2.4). The links tell them nothing about the order. */
import { Card } from '#src/ui/card.tsx';

const PARTNERS = [
  { name: 'Mpix', address: 'https://www.mpix.com/', what: 'Prints, books and frames, made in Kansas.' },
  {
    name: 'Nations Photo Lab',
    address: 'https://www.nationsphotolab.com/',
    what: 'Prints, canvas and metal, made in Maryland.',
  },
];

export function PartnerList() {
  return (
    <Card className="p-5">
      <h2 className="text-base font-bold">Our Partners</h2>
      <ul className="mt-3 flex flex-col gap-3 text-sm">
        {PARTNERS.map((partner) => (
          <li key={partner.name}>
            <a
              href={partner.address}
              rel="noreferrer noopener"
              target="_blank"
              className="inline-flex min-h-11 items-center font-semibold underline decoration-line-strong underline-offset-4 pointer-fine:min-h-6"
            >
              {partner.name}
            </a>
            <p className="text-quiet">{partner.what}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
