/** `/:affiliate/create-bulk-gallery`: several gallery editors on one page, for platform admins (specification A§2, 4, 5, 8). */
import { flushSync } from 'react-dom';
import { redirect, type ShouldRevalidateFunctionArgs } from 'react-router';
import * as words from '#src/features/bulk-galleries/bulk-galleries.contract.ts';
import { requireUser } from '#src/features/tenancy/actor.rules.ts';
import { useBulkGalleries, type ExistingGallery } from '#src/features/bulk-galleries/bulk-galleries.client.ts';
import { BulkGallery } from '#src/features/bulk-galleries/ui/bulk-gallery.tsx';
import { galleriesDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { BulkForms } from '#src/features/bulk-imports/ui/bulk-page.tsx';
import { readCollabKey } from '#src/features/contributors/contributor-paths.rules.ts';
import type { GalleryAnswer } from '#src/features/galleries/galleries.contract.ts';
import { EDITOR_PHOTOS_AT_ONCE } from '#src/features/gallery-editor/gallery-editor.contract.ts';
import type { OrganizationChoice } from '#src/features/organization-picker/organization-choices.contract.ts';
import { FIRST_SHOW } from '#src/features/photos/photo-grid.contract.ts';
import { isChild } from '#src/features/tenancy/organizations.rules.ts';
import { notFound } from '#src/shared/problem.ts';
import { readId } from '#src/shared/read-id.ts';
import { affiliateContext } from '#src/web/affiliate-context.ts';
import { requestContext } from '#src/web/app-context.ts';
import { requirePlatformAdmin } from '#src/web/guards.ts';
import { orNotFoundPage } from '#src/web/not-found.ts';
import { WORKING_PAGE, unlistedPage } from '#src/web/working-page.ts';
import type { Route } from './+types/create-bulk-gallery.page.ts';

export const handle = WORKING_PAGE;

/**
 * A contributor's key leads to its gallery's upload page, which has no settings, promotion or public view (specification A§2).
 */
const redirectContributors: Route.MiddlewareFunction = async ({ context, params }) => {
  const { app, caller, url } = context.get(requestContext);
  const collaboration = readCollabKey(url.searchParams);
  if (collaboration === null) return requirePlatformAdmin(context);
  const given = readId(params.id);
  const gallery = given ?? (collaboration.key === null ? null : await galleryOfKey(app, caller, collaboration.key));
  throw redirect(
    gallery === null ? '/' : `/${context.get(affiliateContext).domainName}/gallery/${gallery}/edit${url.search}`,
  );
};

export const middleware: Route.MiddlewareFunction[] = [redirectContributors];

type Page = ReturnType<typeof pageOf>;
const pageOf = (context: Route.LoaderArgs['context']) => context.get(requestContext);

async function galleryOfKey(app: Page['app'], caller: Page['caller'], key: string): Promise<number | null> {
  const answer = await app.contributors.checkKey(caller, key).catch(() => null);
  return answer?.gallery.id ?? null;
}

export const loader = orNotFoundPage(async ({ context, params }: Route.LoaderArgs) => {
  const { app, caller } = pageOf(context);
  const affiliate = context.get(affiliateContext);
  const existing = params.id === undefined ? null : await openExisting(context, readId(params.id));
  const ownerId = existing?.gallery.organization_id ?? (isChild(affiliate) ? affiliate.id : null);
  return {
    userId: requireUser(caller.actor).userId,
    organization: ownerId === null ? null : await app.organizationChoices.one(caller, ownerId),
    existing,
    affiliate: { name: affiliate.name, domainName: affiliate.domainName },
  };
});

/** The gallery in the address, which the page starts with. @throws not_found */
async function openExisting(context: Route.LoaderArgs['context'], id: number | null): Promise<ExistingGallery> {
  const { app, caller } = pageOf(context);
  if (id === null) throw notFound();
  const view = await app.galleries.view(caller, id);
  if (!view.editor || !view.gallery.active) throw notFound();
  const [gallery, photos, { counts }] = await Promise.all([
    app.galleries.answerFor(view),
    app.photos.page(caller, id, { limit: EDITOR_PHOTOS_AT_ONCE, show: FIRST_SHOW }),
    app.photoEditor.showCounts(caller, id),
  ]);
  // Editors never need a gallery's password.
  return { gallery: gallery as GalleryAnswer, photos: { ...photos, counts } };
}

/** The page keeps its own state: no action reloads its data. */
export function shouldRevalidate({ currentUrl, nextUrl }: ShouldRevalidateFunctionArgs) {
  return currentUrl.pathname !== nextUrl.pathname;
}

export const meta = () => unlistedPage(`${words.CREATE_BULK_GALLERIES} · Sideline`);

export default function CreateBulkGalleryPage({ loaderData }: Route.ComponentProps) {
  return <BulkGalleriesPage key={loaderData.existing?.gallery.id ?? 0} {...loaderData} />;
}

type PageProps = {
  userId: number;
  organization: OrganizationChoice | null;
  existing: ExistingGallery | null;
  affiliate: { name: string; domainName: string };
};

function BulkGalleriesPage({ userId, organization, existing, affiliate }: PageProps) {
  const page = useBulkGalleries(userId, organization, existing);
  const { forms, notice, progress } = page;
  const isBusy = progress !== null;

  function add(): void {
    const key = flushSync(() => page.add());
    const form = key === null ? null : document.getElementById(`gallery-form-${key}`);
    form?.scrollIntoView({ block: 'start' });
    form?.querySelector<HTMLElement>('[name="name"]')?.focus({ preventScroll: true });
  }

  return (
    <BulkForms
      title={words.CREATE_BULK_GALLERIES}
      subtitle="Each is a complete gallery with settings, photos, contributors and sharing."
      otherWay={{
        to: `/${affiliate.domainName}/bulk-gallery-csv`,
        label: 'Upload a CSV file',
        demo: galleriesDemoFile(affiliate),
      }}
      done={{ label: 'Saved galleries', heading: 'Saved', items: page.saved }}
      notice={notice}
      draft={page.isRestored && !isBusy ? { without: words.DRAFT_WITHOUT, onStartOver: page.startOver } : null}
      isUnsaved={page.isUnsaved}
      leaveQuestion={words.LEAVE_GALLERIES_QUESTION}
      bar={{
        isFull: forms.length >= words.MAX_GALLERIES,
        busy: progress !== null && words.savingGallery(progress.place, progress.total),
        label: words.SAVE_ALL_GALLERIES,
        onAdd: add,
        submit: { onClick: () => void page.saveAll() },
      }}
    >
      {forms.map((start, index) => (
        <BulkGallery
          key={start.key}
          start={start}
          place={index + 1}
          isFolded={page.folded.has(start.key)}
          onFold={(isFolded) => page.fold(start.key, isFolded)}
          onRemove={forms.length > 1 && !isBusy ? () => page.remove(start.key) : null}
          register={page.register}
          onSaved={page.hideNotice}
        />
      ))}
    </BulkForms>
  );
}
