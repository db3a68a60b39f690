import { TabLinks } from '#src/ui/paging.tsx';

/** The pages about prices, with the end of their address. */
const PAGES = [
  ['sheets', 'Price sheets', ''],
  ['codes', 'Codes', '/codes'],
  ['credit', 'Credit', '/credit'],
] as const;
type PricePage = (typeof PAGES)[number][0];

/** `path`: the organization's. */
export function PriceTabs({ path, current }: { path: string; current: PricePage }) {
  return (
    <TabLinks
      label="Prices"
      tabs={PAGES.map(([name, label, end]) => ({ label, to: `/${path}/prices${end}`, current: name === current }))}
    />
  );
}
