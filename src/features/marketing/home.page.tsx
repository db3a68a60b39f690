/** `/`: the product on the root's host; the organization on a parent's (specification P§2.1). */
import { NO_ORGANIZATION_YET } from '#src/features/accounts/accounts.contract.ts';
import { dayOf, type GalleryCardFacts } from '#src/features/galleries/gallery-cards.rules.ts';
import type { ShowcaseGallery } from '#src/features/home/gallery-lists.service.ts';
import { OrganizationHome, type AffiliateCardFacts } from '#src/features/marketing/ui/organization-home.tsx';
import { RootHome } from '#src/features/marketing/ui/root-home.tsx';
import type { Organization } from '#src/features/tenancy/organizations.rules.ts';
import { isChild, pictureAddress } from '#src/features/tenancy/organizations.rules.ts';
import { accentTokens } from '#src/shared/color.ts';
import { cents } from '#src/shared/money.ts';
import { Notice } from '#src/ui/notice.tsx';
import { addressOn } from '#src/web/affiliate-context.ts';
import { requestContext, type PageContext } from '#src/web/app-context.ts';
import { aboutHome } from '#src/web/about-pages.ts';
import { pageMeta } from '#src/web/page-meta.ts';
import type { Route } from './+types/home.page.ts';

const EXAMPLES = 6;
/** The only texts that a link can show on this page. */
const NOTICES: readonly string[] = [NO_ORGANIZATION_YET];

export async function loader({ context }: Route.LoaderArgs) {
  const page = context.get(requestContext);
  const { tenant, url } = page;
  const wanted = url.searchParams.get('notice');
  const common = {
    notice: NOTICES.find((notice) => notice === wanted) ?? null,
    about: aboutHome(context),
  };
  if (tenant.organization.kind === 'root') return { ...common, examples: await findExamples(page), organization: null };
  return { ...common, examples: null, organization: await describeParent(page) };
}

export function meta({ loaderData }: Route.MetaArgs) {
  return loaderData ? pageMeta(loaderData.about) : [];
}

export default function HomePage({ loaderData }: Route.ComponentProps) {
  const { notice, examples, organization } = loaderData;
  const remark = notice && (
    <div className="mx-auto w-full max-w-content px-5 py-4">
      <Notice>{notice}</Notice>
    </div>
  );
  if (organization) return <OrganizationHome {...organization} notice={remark} />;
  return <RootHome examples={examples ?? []} notice={remark} />;
}

/** Galleries of the organizations that a platform admin selected, newest first, with the addresses of their own hosts. */
async function findExamples({ app, tenant, url }: PageContext): Promise<GalleryCardFacts[]> {
  const galleries = await app.galleryLists.showcase(EXAMPLES);
  const cards = await Promise.all(
    galleries.map(async (gallery): Promise<GalleryCardFacts | null> => {
      const owner = await app.organizations.byId(gallery.organizationId);
      const parent =
        owner && isChild(owner) && owner.parentOrganizationId !== null
          ? await app.organizations.byId(owner.parentOrganizationId)
          : owner;
      if (!owner || !parent) return null;
      const path = `/${owner.domainName}/gallery/${gallery.id}`;
      const address =
        parent.id === tenant.organization.id ? path : addressOn(parent, app.site.baseDomain, new URL(path, url));
      return cardOf(gallery, owner, address);
    }),
  );
  return cards.filter((card) => card !== null);
}

function cardOf(gallery: ShowcaseGallery, owner: Organization, address: string): GalleryCardFacts {
  return {
    id: gallery.id,
    name: gallery.name,
    owner: owner.name,
    address,
    priceCents: cents(gallery.priceCents),
    photoCount: gallery.photoCount,
    day: dayOf(gallery.createdAt, owner.timeZone),
    isLocked: false,
    preview: gallery.preview,
  };
}

/** A parent with its teams; each shows a photo of its newest gallery. */
async function describeParent({ app, tenant: { organization } }: PageContext) {
  const children = await app.organizations.listChildren(organization.id);
  const newest = await app.galleryLists.showcaseOfEach(children.map(({ id }) => id));
  return {
    name: organization.name,
    logoUrl: pictureAddress(organization, 'logo'),
    homeImageUrl: pictureAddress(organization, 'home_image'),
    affiliates: children.map((child): AffiliateCardFacts => ({
      id: child.id,
      name: child.name,
      path: child.domainName,
      logoUrl: pictureAddress(child, 'logo'),
      cover: newest.find(({ organizationId }) => organizationId === child.id)?.preview[0] ?? null,
      accent: accentTokens(child.primaryColor),
    })),
  };
}
