/** What a platform admin of a new installation sees first; alone in its file, because it needs one without organizations. */
import { expect, test } from 'vitest';
import { hashToken, randomToken } from '#src/platform/secrets.ts';
import { settleAnother } from '#tests/support/neighborhood.ts';
import { openPage, useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ pages: true });

async function open(path: string, label: string, token: string): Promise<string> {
  const page = await openPage(server, path, label, token);
  expect(page.statusCode, path).toBe(200);
  return page.body;
}

test('a platform admin without any organization is led to New Org, until there is one', async () => {
  const token = randomToken(32);
  await server.data.ownerQuery(
    `with made as (
       insert into users (email, first_name, last_name, password_hash, role_id, email_proven_at)
       values ('first@platform.test', 'First', 'Admin', 'x', 2, now()) returning id
     ) insert into sessions (token_hash, user_id, expires_at) select $1, id, now() + interval '30 days' from made`,
    [hashToken(token)],
  );
  const first = await open('/admin-report', 'www', token);
  expect(first).toContain('No organizations yet');
  expect(first).toContain('Reporting Error — There may be no galleries, or sales associated with the query you chose.');
  expect(first).toMatch(/<a [^>]*href="\/new-org"[^>]*>New Org<\/a>/);

  await settleAnother(server);
  const later = await open('/admin-report', 'www', token);
  expect(later).not.toContain('No organizations yet');
  expect(later).toContain('Show reconciled orders, too');
});
