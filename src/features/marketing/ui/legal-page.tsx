import { cloneElement, type ReactElement, type ReactNode } from 'react';
import { useRouteLoaderData } from 'react-router';
import { TEMPLATE_NOTE } from '#src/features/marketing/legal.contract.ts';
import { Button } from '#src/ui/button.tsx';
import { Main } from '#src/ui/main.tsx';
import { Notice } from '#src/ui/notice.tsx';
import type { Shell } from '#src/web/frame/shell.ts';

type LegalSectionProps = { id: string; title: string; children: ReactNode; number?: number };

type LegalPageProps = {
  title: string;
  /** "Effective …", "Last modified …". */
  dated?: string;
  /** The whole text in one plain paragraph. */
  summary: ReactNode;
  /** A fragment of sections, which are numbered in order. */
  sections: ReactElement<{ children: readonly ReactElement<LegalSectionProps>[] }>;
};

const PROSE =
  'max-w-[66ch] [&_a]:font-semibold [&_a]:underline [&_a]:decoration-line-strong [&_a]:underline-offset-4 [&_li]:mt-1.5 [&_p]:mt-3 [&_ul]:mt-3 [&_ul]:list-disc [&_ul]:pl-6';

/** A legal text: numbered sections, a table of contents that stays next to them, a readable line length, also on paper. */
export function LegalPage({ title, dated, summary, sections }: LegalPageProps) {
  const isPlatformAdmin = useRouteLoaderData<Shell>('root')?.viewer?.role_id === 2;
  const chapters = sections.props.children;
  return (
    <Main className="py-10 sm:py-14">
      <header className="max-w-[66ch]">
        <h1 className="text-2xl sm:text-3xl">{title}</h1>
        {dated && <p className="mt-2 text-sm font-semibold text-quiet">{dated}</p>}
        <p className="mt-5 text-lg text-pretty">{summary}</p>
      </header>
      {isPlatformAdmin && (
        <div className="mt-6 max-w-[66ch] print:hidden">
          <Notice tone="warning">{TEMPLATE_NOTE}</Notice>
        </div>
      )}
      <div className="mt-8 grid gap-x-16 gap-y-8 lg:mt-12 lg:grid-cols-[15rem_minmax(0,1fr)]">
        <nav
          aria-label="On this page"
          className="self-start border-y border-line py-4 text-sm lg:sticky lg:top-6 lg:max-h-[calc(100dvh-3rem)] lg:overflow-y-auto lg:border-y-0 lg:border-l lg:py-0 lg:pl-5 print:hidden"
        >
          <p aria-hidden="true" className="font-semibold">
            On this page
          </p>
          <ol className="mt-1.5">
            {chapters.map(({ props: { id, title: name } }, index) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="flex min-h-11 items-center text-quiet underline decoration-transparent underline-offset-4 hover:text-ink hover:decoration-line-strong pointer-fine:min-h-8"
                >
                  <span className="flex items-baseline gap-2">
                    <span className="min-w-5 shrink-0 tabular-nums">{index + 1}.</span>
                    {name}
                  </span>
                </a>
              </li>
            ))}
          </ol>
          <Button variant="secondary" size="small" className="mt-4" onClick={() => window.print()}>
            Print this page
          </Button>
        </nav>
        <article className={PROSE}>
          {chapters.map((chapter, index) => cloneElement(chapter, { key: chapter.props.id, number: index + 1 }))}
        </article>
      </div>
    </Main>
  );
}

/** A section with its number from the table of contents. */
export function LegalSection({ id, title, children, number }: LegalSectionProps) {
  return (
    <section aria-labelledby={id} className="mt-10 first:mt-0 print:break-inside-avoid">
      <h2 id={id} className="scroll-mt-6 text-lg sm:text-xl">
        <span className="tabular-nums">{number}.</span> {title}
      </h2>
      {children}
    </section>
  );
}
