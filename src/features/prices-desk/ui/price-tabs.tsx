import { TabLinks } from '#src/ui/paging.tsx';

/** What a seller decides about prices, a page each, with the end of its address. */
const PAGES = [
  ['sheets', 'Price sheets', ''],
  ['codes', 'Codes', '/codes'],
  ['credit', 'Credit', '/credit'],
] as const;
type PricePage = (typeof PAGES)[number][0];

/** `path`: of the organization. */
export function PriceTabs({ path, current }: { path: string; current: PricePage }) {
  return (
    <TabLinks
      label="Prices"
      tabs={PAGES.map(([name, label, end]) => ({ label, to: `/${path}/prices${end}`, current: name === current }))}
    />
  );
}
