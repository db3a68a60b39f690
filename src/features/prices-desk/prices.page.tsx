/** `/:affiliate/prices`: the price sheets of an organization (offers specification A.3). */
import { Link } from 'react-router';
import { offerOfAnswer } from '#src/features/offers/price-sheets.rules.ts';
import { earlyBirdEnded, earlyBirdLine, offerText } from '#src/features/offers/offer-words.rules.ts';
import type { SheetAnswer } from '#src/features/offers/offers.contract.ts';
import { READY_SHEETS, READY_WORDS, readySheet } from '#src/features/prices-desk/ready-sheets.rules.ts';
import { PriceTabs } from '#src/features/prices-desk/ui/price-tabs.tsx';
import { machineDay } from '#src/shared/dates.ts';
import { dollarText } from '#src/shared/money.ts';
import { Badge } from '#src/ui/badge.tsx';
import { ChevronRight, Plus } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { OlderLinks } from '#src/ui/paging.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/prices.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

export async function loader({ context }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const { id, name, domainName: path, timeZone } = context.get(affiliateContext);
  const after = url.searchParams.get('after');
  const page = await app.priceSheets.list(caller, id, { after });
  const today = machineDay(new Date(), timeZone);
  return { id, name, path, usualCents: await app.priceSheets.usualPrice(caller, id), today, after, page };
}

export const meta = workingMeta('Prices');

export default function PricesPage({ loaderData }: Route.ComponentProps) {
  const { id, name, path, after, page, usualCents, today } = loaderData;
  const sheets = page.price_sheets;
  const isEmpty = sheets.length === 0 && after === null;
  return (
    <Main className="pb-12">
      <PageHeader
        title="Prices"
        subtitle={name}
        action={
          !isEmpty && (
            <LinkButton to={`/${path}/prices/new`}>
              <Plus aria-hidden="true" />
              New price sheet
            </LinkButton>
          )
        }
      />
      <PriceTabs path={path} current="sheets" />
      <p className="max-w-[66ch] py-5 text-sm text-pretty text-quiet">
        A price sheet lowers the price of several photos: “3 for $10.00”, the whole gallery for one price, a discount
        for early birds. Photos of all galleries with the same sheet count together.
      </p>
      {isEmpty ? (
        <StartFrom path={path} singleCents={usualCents} />
      ) : (
        <ul aria-label="Price sheets" className="rounded-lg border border-line bg-surface">
          {sheets.map((sheet) => (
            <li key={sheet.id} className="border-line not-first:border-t">
              <SheetLine
                sheet={sheet}
                today={today}
                to={sheet.organization_id === id ? `/${path}/prices/${sheet.id}` : null}
              />
            </li>
          ))}
        </ul>
      )}
      <OlderLinks label="Price sheets" kept="" after={after} next={page.next} />
    </Main>
  );
}

/** Three ready-made sheets, with offers based on the organization's own price. */
function StartFrom({ path, singleCents }: { path: string; singleCents: number }) {
  return (
    <section aria-labelledby="start" className="flex flex-col gap-4">
      <h2 id="start" className="text-lg">
        Start from a ready price sheet
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {READY_SHEETS.map((which) => (
          <li key={which} className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
            <h3 className="text-base">{READY_WORDS[which].name}</h3>
            <p className="text-sm text-quiet">{READY_WORDS[which].hint}</p>
            <ul className="flex flex-col gap-1 text-sm font-semibold">
              {readySheet(which, singleCents).offers.map((offer, at) => {
                const text = offerText(offerOfAnswer({ ...offer, id: at } as SheetAnswer['offers'][number]));
                return <li key={text}>{text}</li>;
              })}
            </ul>
            <LinkButton
              variant="secondary"
              className="mt-auto self-start"
              to={`/${path}/prices/new?start=${which}`}
              aria-label={`Start with ${READY_WORDS[which].name}`}
            >
              Start with this
            </LinkButton>
          </li>
        ))}
      </ul>
      <p className="text-sm text-quiet">
        You can change everything before you save. Or{' '}
        <Link to={`/${path}/prices/new`} className="underline">
          start with an empty price sheet
        </Link>
        .
      </p>
    </section>
  );
}

const LINE =
  'grid min-h-11 grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 px-4 py-3 text-sm text-ink no-underline';

/** Null for another organization's sheet, which is only chosen here. */
function SheetLine({ sheet, today, to }: { sheet: SheetAnswer; today: string; to: string | null }) {
  const early = sheet.early_bird && { percent: sheet.early_bird.percent, lastDay: sheet.early_bird.last_day };
  const offers = [
    ...sheet.offers.map((offer) => offerText(offerOfAnswer(offer))),
    ...(early ? [early.lastDay < today ? earlyBirdEnded(early.lastDay) : earlyBirdLine(early)] : []),
  ];
  const inside = (
    <>
      <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-0 font-semibold wrap-anywhere">{sheet.name}</span>
        {sheet.archived && <Badge>Archived</Badge>}
        {to === null && <Badge tone="accent">From the parent organization</Badge>}
        {to !== null && sheet.shared_with_children && <Badge tone="accent">Shared with teams</Badge>}
      </span>
      {to !== null && <ChevronRight aria-hidden="true" className="row-span-3 size-5 text-quiet" />}
      <span className="col-start-1 text-quiet">{offers.join(' · ') || 'No offers yet'}</span>
      <span className="col-start-1 text-quiet">
        {usedBy(sheet)} · {soldWith(sheet)}
      </span>
    </>
  );
  return to === null ? (
    <div className={LINE}>{inside}</div>
  ) : (
    <Link to={to} className={`${LINE} hover:bg-sunken`}>
      {inside}
    </Link>
  );
}

const NAMED = 3;

function usedBy({ galleries, gallery_count: count }: SheetAnswer): string {
  if (count === 0) return 'Used by no gallery';
  const named = galleries.slice(0, NAMED).map(({ name }) => name);
  return `Used by ${named.join(', ')}${count > named.length ? ` and ${count - named.length} more` : ''}`;
}

function soldWith({ sold }: SheetAnswer): string {
  if (sold.orders === 0) return 'nothing sold with it in 30 days';
  return `${dollarText(sold.sales)} sold with it in 30 days`;
}
