/** `/:affiliate/prices/:sheet`: one price sheet, or with `new` a new one (offers specification A.3). */
import { useCallback, useRef } from 'react';
import { Link, useNavigate, useRevalidator } from 'react-router';
import { SHEET_NOT_FOUND, type NamedGallery, type SheetAnswer } from '#src/features/offers/offers.contract.ts';
import type { PriceGroup } from '#src/features/offers/sheet-warnings.rules.ts';
import { EMPTY_SHEET, type SheetStart } from '#src/features/prices-desk/price-sheet-form.rules.ts';
import { usePriceSheet } from '#src/features/prices-desk/price-sheet.client.ts';
import {
  READY_SHEETS,
  READY_WORDS,
  readySheet,
  type ReadySheet,
} from '#src/features/prices-desk/ready-sheets.rules.ts';
import { ArchiveSheet } from '#src/features/prices-desk/ui/archive-sheet.tsx';
import { PeoplePay } from '#src/features/prices-desk/ui/people-pay.tsx';
import { SheetForm } from '#src/features/prices-desk/ui/sheet-form.tsx';
import { SheetGalleries } from '#src/features/prices-desk/ui/sheet-galleries.tsx';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { machineDay } from '#src/shared/dates.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { BackLink } from '#src/ui/back-link.tsx';
import { Badge } from '#src/ui/badge.tsx';
import { LeaveGuard } from '#src/ui/leave-guard.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { membersOnly } from '#src/web/guards.ts';
import { workingMeta, WORKING_PAGE } from '#src/web/working-page.ts';
import type { Route } from './+types/price-sheet.page.ts';

export const handle = WORKING_PAGE;

export const middleware: Route.MiddlewareFunction[] = [membersOnly];

/** How many galleries can be chosen here; others are set in their own settings. */
const GALLERIES_OFFERED = 100;
export async function loader({ context, params }: Route.LoaderArgs) {
  const { app, caller, url } = context.get(requestContext);
  const affiliate = context.get(affiliateContext);
  const { id, name, domainName: path, timeZone } = affiliate;
  const usualCents = await app.priceSheets.usualPrice(caller, id);
  const today = machineDay(new Date(), timeZone);
  const page = { organizationId: id, name, path, usualCents, today, mayShare: !isChild(affiliate) };
  if (params.sheet === 'new') {
    const which = READY_SHEETS.find((ready) => ready === url.searchParams.get('start'));
    const start = which ? readySheet(which, usualCents) : EMPTY_SHEET;
    return { ...page, which, start, sheet: null, prices: [], others: [] };
  }
  const sheetId = readId(params.sheet);
  if (sheetId === null) throw notFound(SHEET_NOT_FOUND);
  const { sheet, prices } = await app.priceSheets.find(caller, sheetId);
  // Belongs to another organization of the same members.
  if (sheet.organization_id !== id) throw notFound(SHEET_NOT_FOUND);
  const owner = { organizationId: id, parentOrganizationId: affiliate.parentOrganizationId };
  const { galleries } = await app.galleryLists.listForOrganization(caller, owner, { limit: GALLERIES_OFFERED });
  const others = galleries
    .filter((gallery) => gallery.price_sheet_id !== sheetId)
    .map((gallery) => ({ id: gallery.id, name: gallery.name }));
  return { ...page, which: undefined, start: sheet, sheet, prices, others };
}

export const meta = workingMeta('Price sheet');

export default function PriceSheetPage({ loaderData }: Route.ComponentProps) {
  return <Editor key={loaderData.sheet?.id ?? `new ${loaderData.which}`} {...loaderData} />;
}

type EditorProps = {
  organizationId: number;
  path: string;
  /** What a photo usually costs here. */
  usualCents: number;
  /** In its zone. */
  today: string;
  mayShare: boolean;
  /** The ready one that a new sheet starts from. */
  which: ReadySheet | undefined;
  start: SheetStart;
  /** Null for a new one. */
  sheet: SheetAnswer | null;
  prices: readonly PriceGroup[];
  others: readonly NamedGallery[];
};

function Editor(props: EditorProps) {
  const { organizationId, path, usualCents, today, mayShare, which, start, sheet, prices, others } = props;
  const navigate = useNavigate();
  const { revalidate } = useRevalidator();
  const form = usePriceSheet(start, { organizationId, sheet });
  const isMade = useRef(false);
  const { isChanged } = form;
  const isUnsaved = useCallback(() => isChanged && !isMade.current, [isChanged]);
  const usual = [{ priceCents: usualCents, galleries: 0, ownPriced: 0 }];

  async function save(): Promise<void> {
    const saved = await form.save();
    if (!saved) return;
    if (sheet) return void revalidate();
    isMade.current = true;
    await navigate(`/${path}/prices/${saved.id}`, { replace: true });
  }

  return (
    <Main className="pb-12">
      <PageHeader
        title={sheet?.name ?? 'New price sheet'}
        subtitle={sheet?.archived ? <Badge>Archived</Badge> : null}
        back={<BackLink to={`/${path}/prices`}>Prices</BackLink>}
      />
      {sheet === null && which === undefined && <ReadyOnes path={path} />}
      <div className="grid gap-8 lg:grid-cols-[minmax(0,1fr)_22rem] lg:items-start">
        <SheetForm form={form} isNew={sheet === null} mayShare={mayShare} today={today} onSubmit={() => void save()} />
        <div className="flex min-w-0 flex-col gap-8">
          <PeoplePay values={form.values} prices={prices.length === 0 ? usual : prices} today={today} />
          {sheet && !sheet.archived && (
            <>
              <SheetGalleries
                sheetId={sheet.id}
                path={path}
                used={sheet.galleries}
                others={others}
                onChanged={() => void revalidate()}
              />
              <ArchiveSheet sheet={sheet} onArchived={() => void navigate(`/${path}/prices`)} />
            </>
          )}
        </div>
      </div>
      <LeaveGuard isUnsaved={isUnsaved} question="Your changes to this price sheet are not saved." />
    </Main>
  );
}

/** Prepared sheets to start from, so that no one has to begin with an empty one. */
function ReadyOnes({ path }: { path: string }) {
  return (
    <p className="mb-6 flex flex-wrap items-center gap-x-4 text-sm text-quiet">
      Start from:
      {READY_SHEETS.map((ready) => (
        <Link
          key={ready}
          to={`/${path}/prices/new?start=${ready}`}
          replace
          className="inline-flex min-h-11 items-center font-semibold text-accent-text hover:underline"
        >
          {READY_WORDS[ready].name}
        </Link>
      ))}
    </p>
  );
}
