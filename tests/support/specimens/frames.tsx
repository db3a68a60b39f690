import { EmptyState } from '#src/ui/empty-state.tsx';
import { Images } from '#src/ui/icon.tsx';
import { LinkButton } from '#src/ui/link-button.tsx';
import { Main } from '#src/ui/main.tsx';
import { PageHeader } from '#src/ui/page-header.tsx';
import { accentTokens } from '#src/shared/color.ts';
import { Frame } from '#src/web/frame/layouts.tsx';
import type { Shell } from '#src/web/frame/shell.ts';

const organization: Shell['organization'] = {
  name: 'Lakeside Youth Sports',
  kind: 'organization',
  logo_url: null,
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
