import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { accentTokens } from '#src/shared/color.ts';
import { Frame } from '#src/web/frame/layouts.tsx';
import type { Shell } from '#src/web/frame/shell.ts';

const organization: Shell['organization'] = {
  id: 2,
  name: 'Lakeside Youth Sports',
  kind: 'organization',
  domain_name: 'lakeside',
  parent_organization_id: 1,
  logo_url: null,
  home_image_url: null,
  tablet_display_image_url: null,
  tablet_display_url: null,
  mobile_display_image_url: null,
  mobile_display_url: null,
  primary_color: '#0099CC',
  secondary_color: '#FFFFFF',
  default_photo_price: 4,
  free_tier: false,
  can_add_custom_payment: false,
  processor_info: { stripe_pk: null },
  contact_email: 'hello@lakeside.test',
};
const viewer: Shell['viewer'] = {
  id: 1,
  first_name: 'Ada',
  last_name: 'Field',
  email: 'coach@hawks.test',
  role_id: 1,
  email_proven: true,
  organizations: [],
};
const footer: Shell['footer'] = { productUrl: 'https://www.sideline.example/', social: [], sharesSite: true };
const hawks = {
  name: 'Hawks Soccer Club',
  logoUrl: null,
  nav: { domainName: 'hawks-soccer', isChild: true, mayWork: true, isFull: false },
};

export function WorkingFrame() {
  return (
    <Frame
      layout="working"
      shell={{ organization, viewer, accent: accentTokens('#0099CC'), own: null, footer }}
      affiliate={hawks}
    >
      <Main className="pb-10">
        <PageHeader
          title="Dashboard"
          subtitle="Last 30 days"
          action={<LinkButton to="/working">New Gallery</LinkButton>}
        />
        <EmptyState
          icon={<Images />}
          title="No galleries yet"
          action={<LinkButton to="/working">Create your first gallery</LinkButton>}
        >
          A gallery holds the photos of one game, day or team.
        </EmptyState>
      </Main>
    </Frame>
  );
}

export function PublicFrame() {
  return (
    <Frame
      layout="affiliate"
      shell={{ organization, viewer, accent: accentTokens('#0099CC'), own: null, footer }}
      affiliate={hawks}
    >
      <Main className="pb-10">
        <PageHeader title="Hawks Soccer Club" subtitle="In partnership with Lakeside Youth Sports" />
      </Main>
    </Frame>
  );
}
