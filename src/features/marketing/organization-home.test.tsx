import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { describe, expect, test } from 'vitest';
import { OrganizationHome } from '#src/features/marketing/ui/organization-home.tsx';

const LAKESIDE = { name: 'Lakeside Youth Sports', logoUrl: null, affiliates: [], notice: null };
const homeOf = (homeImageUrl: string | null) =>
  renderToStaticMarkup(
    <MemoryRouter>
      <OrganizationHome {...LAKESIDE} homeImageUrl={homeImageUrl} />
    </MemoryRouter>,
  );

describe('the home page of an organization', () => {
  test('shows its own banner', () => {
    expect(homeOf('/api/v1/organizations/2/pictures/home_image?v=1')).toContain(
      'src="/api/v1/organizations/2/pictures/home_image?v=1"',
    );
  });

  test('shows the default picture when none is set', () => {
    expect(homeOf(null)).toMatch(/<img src="[^"]*default-home[^"]*\.jpg"/);
  });

  test('names the organization in its call and leads to Sign Up, also without a team', () => {
    const html = homeOf(null);
    expect(html).toContain('Every picture you buy supports the teams of Lakeside Youth Sports.');
    expect(html).toMatch(/<a [^>]*href="\/sign-up"[^>]*>Sign Up<\/a>/);
    expect(html).toContain('Lakeside Youth Sports has no teams here yet.');
  });
});
