/** In the order of the page. */
const SECTIONS = [
  ['profile', 'Profile'],
  ['contact', 'Contact'],
  ['billing', 'Billing'],
  ['password', 'Password'],
  ['branding', 'Branding'],
  ['watermark', 'Watermark'],
  ['sponsors', 'Sponsor ads'],
  ['price', 'Photo price'],
  ['payments', 'Payments'],
  ['taxes', 'Taxes'],
  ['time-zone', 'Time zone'],
  ['people', 'People'],
  ['tax-table', 'Sales tax'],
] as const;
type SectionId = (typeof SECTIONS)[number][0];

/** Ways down the settings. `shows` says of sections that are not everyone's whether they are there. */
export function SectionLinks({ shows }: { shows: Partial<Record<SectionId, boolean>> }) {
  return <PageSections sections={SECTIONS.filter(([id]) => shows[id] !== false)} />;
}

/** Ways down a long page: the id of each section with its name. */
export function PageSections({ sections }: { sections: readonly (readonly [id: string, name: string])[] }) {
  return (
    <nav aria-label="On this page" className="-mx-3 pb-5 max-sm:overflow-x-auto">
      <ul className="flex sm:flex-wrap">
        {sections.map(([id, name]) => (
          <li key={id} className="shrink-0">
            <a
              href={`#${id}`}
              className="inline-flex min-h-11 items-center px-3 text-sm font-semibold text-quiet no-underline hover:text-ink hover:underline"
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
