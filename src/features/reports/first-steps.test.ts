/** What a new parent organization sees first: how its organizations sign up. */
import { expect, test } from 'vitest';
import { settleAnother } from '#tests/support/neighborhood.ts';
import { openPage, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });

async function open(path: string, label: string, token: string): Promise<string> {
  const page = await openPage(server, path, label, token);
  expect(page.statusCode, path).toBe(200);
  return page.body;
}

test('a parent without organizations gets its sign-up link, a parent with one does not', async () => {
  const { tokens, parent, stranger } = await settleAnother(server);
  for (const page of ['report', 'dashboard']) {
    const first = await open(`/${stranger.path}/${page}`, stranger.path, tokens.foreigner);
    expect(first, page).toContain('Copy sign-up link');
    expect(first, page).toContain(`href="http://${stranger.path}.sideline.localhost:3000/sign-up"`);
    expect(await open(`/${parent.path}/${page}`, parent.path, tokens.parentMember), page).not.toContain('sign-up link');
  }
});
