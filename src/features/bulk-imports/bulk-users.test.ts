/** Accounts from a file, over HTTP (specification A§5, 8; bad inputs 109-115; rule 37). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { usersDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { csvOf, sendCsv, USER_HEAD, userRow } from '#tests/support/csv-files.ts';
import { settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { sentEmails } from '#tests/support/sent-emails.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const send = (content: string | Uint8Array, query = '', as = people.tokens.admin) =>
  sendCsv(server, 'users', { content }, { as, query });
const rowsOf = (answer: { json<T>(): T }) =>
  answer.json<BulkAnswer>().rows.map(({ row, result, errors }) => [row, result, ...errors]);
const wordsOf = async (content: string | Uint8Array) => {
  const answer = await send(content, '?dry_run=true');
  return [answer.statusCode, answer.json<{ error: string }>().error];
};
const accountsAt = (pattern: string) =>
  server.data.ownerQuery<{
    email: string;
    path: string;
    free_tier: boolean;
    role: number;
    tax_id: string;
    must: boolean;
  }>(
    `select u.email, o.domain_name as path, o.free_tier, m.role, p.tax_id, u.must_change_password as must
       from users u join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id
       join organization_private p on p.organization_id = o.id where u.email like $1 order by u.email`,
    [pattern],
  );

describe('a file of accounts', () => {
  test('may be the demo file', async () => {
    const { text } = usersDemoFile('Lakeside');
    expect((await send(text, '?dry_run=true')).json()).toMatchObject({ created: 2, failed: 0, notices: [] });
  });

  test('creates each user with their organization, on the free tier, below the parent named in the row', async () => {
    const file = csvOf(
      USER_HEAD,
      userRow('new-one'),
      userRow('new-two', { orgname: ' LakeSide ', customPath: 'Two.Club' }),
    );
    const answer = await send(file);
    expect(answer.statusCode).toBe(200);
    const body = answer.json<BulkAnswer>();
    expect(body).toMatchObject({ kind: 'users', status: 'finished', total: 2, created: 2, skipped: 0, failed: 0 });
    expect(body.rows.map(({ row, result, id }) => [row, result, typeof id])).toEqual([
      [2, 'created', 'number'],
      [3, 'created', 'number'],
    ]);
    expect(await accountsAt('new-%@new.test')).toEqual([
      { email: 'new-one@new.test', path: 'new-one', free_tier: true, role: 2, tax_id: '12-3456789', must: true },
      { email: 'new-two@new.test', path: 'two.club', free_tier: true, role: 2, tax_id: '12-3456789', must: true },
    ]);
    await server.signIn('new-one@new.test', 'orange-river-9');
  });

  test('again creates nothing twice', async () => {
    const file = csvOf(USER_HEAD, userRow('again'), userRow('again-two'));
    const first = (await send(file)).json<BulkAnswer>();
    const second = (await send(file)).json<BulkAnswer>();
    expect(second).toMatchObject({ status: 'finished', created: 0, skipped: 2, failed: 0 });
    expect(second.rows.map(({ id }) => id)).toEqual(first.rows.map(({ id }) => id));
    expect(await accountsAt('again%')).toHaveLength(2);
  });
});

describe('a file that is not a file of accounts', () => {
  test.each([
    ['nothing', '', 'No valid rows found in CSV.'],
    ['a head without rows', csvOf(USER_HEAD), 'No valid rows found in CSV.'],
    [
      'a head that lacks columns',
      csvOf('orgname,newOrgName,customPath,firstName,lastName,e-post,password', 'a'),
      'Missing or incorrect headers: email, tax_id',
    ],
    [
      'no head at all',
      userRow('headless'),
      `Missing or incorrect headers: ${USER_HEAD.replace(',password', '').replaceAll(',', ', ')}`,
    ],
    [
      'a column twice',
      csvOf(`${USER_HEAD},Email`, userRow('double')),
      'Missing or incorrect headers: email (appears twice)',
    ],
    ['an open quote', csvOf(USER_HEAD, '"lakeside,x'), 'Failed to parse CSV.'],
    ['U+0000', csvOf(USER_HEAD, userRow('nul\0')), 'Failed to parse CSV.'],
    ['5,000 columns', `${'a,'.repeat(4_999)}b`, 'Failed to parse CSV.'],
    [
      'a cell of 10 MB',
      csvOf(USER_HEAD, userRow('long', { firstName: 'x'.repeat(10_000_000) })),
      'Failed to parse CSV.',
    ],
    [
      'one row too many',
      csvOf(USER_HEAD, ...Array.from({ length: 10_001 }, () => 'a')),
      'This file has more than 10,000 rows. Please split it and upload the parts one by one.',
    ],
    ['a workbook under another name', Buffer.from('PK\u0003\u0004 and so on'), 'Please upload a CSV file only.'],
  ])('%s', async (_name, content, sentence) => {
    expect(await wordsOf(content)).toEqual([422, sentence]);
  });

  test('is refused as another kind of file, no file, or one byte too many', async () => {
    const as = people.tokens.admin;
    for (const name of ['rows.txt', 'rows.xlsx', 'rows.csv.exe', 'csv']) {
      const answer = await sendCsv(server, 'users', { content: csvOf(USER_HEAD, userRow('a')), name }, { as });
      expect([answer.statusCode, answer.json()]).toEqual([
        422,
        expect.objectContaining({
          error: 'Please upload a CSV file only.',
          errors: { file: ['Please upload a CSV file only.'] },
        }),
      ]);
    }
    const none = await server.call({ method: 'POST', url: '/api/v1/bulk/users', as });
    expect([none.statusCode, none.json<{ error: string }>().error]).toEqual([422, 'No file selected.']);
    const most = Buffer.alloc(20_971_520, 'x');
    const fits = await sendCsv(server, 'users', { content: most, name: 'ROWS.CSV' }, { as });
    expect(fits.json<{ error: string }>().error).toBe('Failed to parse CSV.');
    const more = await sendCsv(server, 'users', { content: Buffer.concat([most, Buffer.from('x')]) }, { as });
    expect([more.statusCode, more.json<{ error: string }>().error]).toEqual([413, 'File size exceeds 20MB.']);
  });

  test('is refused if the form is cut off or contains something else', async () => {
    const as = people.tokens.admin;
    const cut = await server.call({
      method: 'POST',
      url: '/api/v1/bulk/users',
      as,
      payload: '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\norg',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect(cut.statusCode).toBe(400);
    const nameless = await server.call({
      method: 'POST',
      url: '/api/v1/bulk/users',
      as,
      payload: 'x',
      headers: { 'content-type': 'multipart/form-data' },
    });
    expect(nameless.statusCode).toBe(400);
    const other = await server.call({
      method: 'POST',
      url: '/api/v1/bulk/users',
      as,
      payload: '--x\r\nContent-Disposition: form-data; name="other"\r\n\r\norg\r\n--x--\r\n',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
    });
    expect([other.statusCode, other.json<{ error: string }>().error]).toEqual([422, 'No file selected.']);
  });
});

describe('rows with problems', () => {
  test('are all reported, by row number, and the others are imported', async () => {
    await server.app.organizations.create({
      kind: 'organization',
      name: 'Twin',
      domainName: 'twin-a',
      parentOrganizationId: null,
      contactName: null,
      contactEmail: null,
      freeTier: false,
    });
    await server.app.organizations.create({
      kind: 'organization',
      name: 'twin',
      domainName: 'twin-b',
      parentOrganizationId: null,
      contactName: null,
      contactEmail: null,
      freeTier: false,
    });
    const answer = await send(
      csvOf(
        USER_HEAD,
        ',,,,,,,',
        '"","","","","","","","x"',
        '',
        userRow('bad-mail', { email: 'bad@mail', password: '1234567' }),
        userRow('nowhere', { orgname: 'Nowhere' }),
        userRow('nobody', { orgname: 'hawks' }),
        userRow('twins', { orgname: 'TWIN' }),
        userRow('fine', { firstName: '"Una\nMarie"', newOrgName: '"=HYPERLINK(""http://x"")"' }),
        userRow('fine-too', { email: 'FINE@new.test' }),
        userRow('other-fine', { customPath: 'FINE' }),
        userRow('reserved', { customPath: 'admin' }),
        userRow('spaces', { customPath: 'two words' }),
        userRow('itself', { customPath: 'lakeside' }),
        userRow('taken-path', { customPath: 'hawks' }),
        userRow('taken-mail', { email: 'owner@people.test' }),
        userRow('common', { password: 'password123' }),
        `${userRow('wide')},more`,
        userRow('long', { firstName: 'x'.repeat(101), tax_id: '1'.repeat(21) }),
      ),
    );
    const taken = 'This Account information is taken. Please try a new email or org name.';
    expect(rowsOf(answer)).toEqual([
      [
        3,
        'failed',
        'orgname is required',
        'newOrgName is required',
        'customPath is required',
        'firstName is required',
        'lastName is required',
        'email is required',
      ],
      [5, 'failed', 'Invalid email format', 'Password must be at least 8 characters'],
      [6, 'failed', 'Parent organization not found'],
      [7, 'failed', 'Parent organization not found'],
      [8, 'failed', 'More than one parent organization has this name. Please rename one of them first.'],
      [9, 'created'],
      [10, 'failed', 'email: also in row 9'],
      [11, 'failed', 'customPath: also in row 9'],
      [12, 'failed', 'customPath: This address is not available.'],
      [13, 'created'],
      [14, 'failed', 'customPath: This address is not available.'],
      [15, 'failed', `customPath: ${taken}`],
      [16, 'failed', `email: ${taken}`],
      [17, 'failed', expect.stringContaining('common')],
      [18, 'failed', 'This row has more cells than the file has headers'],
      [19, 'failed', 'firstName must have at most 100 characters', 'tax_id must have at most 20 characters'],
    ]);
    expect(answer.json()).toMatchObject({ status: 'finished', total: 16, created: 2, failed: 14 });
    expect(await accountsAt('spaces%')).toMatchObject([{ path: 'two-words' }]);
    const [made] = await server.data.ownerQuery(
      'select first_name, name from users u join memberships m on m.user_id = u.id join organizations o on o.id = m.organization_id where u.email = $1',
      ['fine@new.test'],
    );
    expect(made).toEqual({ first_name: 'Una Marie', name: '=HYPERLINK("http://x")' });
  });

  test('start no import if no row is valid, and still report each row', async () => {
    const answer = await send(csvOf(USER_HEAD, userRow('only', { email: '' })));
    expect([answer.statusCode, answer.json()]).toEqual([
      422,
      expect.objectContaining({
        error: 'No valid rows found in CSV.',
        rows: [{ row: 2, result: 'failed', errors: ['email is required'], id: null }],
      }),
    ]);
  });
});

describe('a dry run', () => {
  test('reports empty lines, what a path becomes, and the number of invitations', async () => {
    const file = csvOf(
      USER_HEAD,
      userRow('a-first', { customPath: "Zoe's Élan Club", password: '' }),
      ',,,,,,,',
      userRow('a-second', { password: 'orange-river-9' }),
    );
    expect((await send(file, '?dry_run=true')).json()).toMatchObject({
      created: 2,
      invitations: 1,
      notices: ['Row 3 is empty and is skipped.'],
      preview: [{ row: 2, cells: { customPath: 'zoes-elan-club' } }, { row: 4 }],
    });
  });

  test('creates nothing, and reports unused and missing columns', async () => {
    const head = ' OrgName;New Org Name;custom_path;FIRSTNAME;last-name; email ;TAX ID;role_id;free_tier';
    const answer = await send(`\uFEFF${head}\r\nlakeside;Dry;dry;D;R;dry@new.test;1;2;false\r\n`, '?dry_run=true');
    expect(answer.json()).toMatchObject({
      import_id: null,
      status: 'checked',
      created: 1,
      // No one has a password in this file.
      invitations: 1,
      notices: ['Not used: role_id, free_tier', 'Not in this file, so defaults apply: password'],
      preview: [{ row: 2, cells: { orgname: 'lakeside', customPath: 'dry', email: 'dry@new.test' } }],
    });
    expect(await accountsAt('dry%')).toEqual([]);
  });

  test('does not show passwords', async () => {
    expect((await send(csvOf(USER_HEAD, userRow('secret')), '?dry_run=true')).body).not.toContain('orange-river-9');
  });
});

describe('rows sent as JSON', () => {
  test('are read like those of a file', async () => {
    const row = {
      orgname: 'lakeside',
      newOrgName: 'Json',
      customPath: 'json',
      firstName: 'J',
      lastName: 'N',
      email: 'json@new.test',
      tax_id: 123456789,
      password: null,
    };
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/bulk/users',
      as: people.tokens.admin,
      payload: { rows: [row, { ...row, email: 'x' }] },
    });
    expect(rowsOf(answer)).toEqual([
      [2, 'created'],
      [3, 'failed', 'Invalid email format'],
    ]);
    expect(await accountsAt('json%')).toMatchObject([{ tax_id: '123456789', must: false }]);
  });

  test('have at most as many columns as a file, because each row would be as wide as all of them together', async () => {
    const answer = await server.call({
      method: 'POST',
      url: '/api/v1/bulk/users?dry_run=true',
      as: people.tokens.admin,
      payload: { rows: Array.from({ length: 201 }, (_, row) => ({ [`column${row}`]: 'x' })) },
    });
    expect(answer.statusCode).toBe(422);
    expect(answer.body).toContain('These rows have 201 columns.');
  });
});

describe('a row without a password', () => {
  test('gets an email with a link to choose one; until then no login is possible', async () => {
    await send(csvOf(USER_HEAD, userRow('invited', { password: '' })));
    const invitations = () =>
      sentEmails(server.platform.config.dataDir, 'invited@new.test', 'Your Sideline account is ready');
    await expect.poll(invitations).toHaveLength(1);
    const link = /https?:\S+reset_password_token=([\w-]+)\S*/.exec((await invitations())[0] ?? '');
    expect(link?.[0]).toContain('//lakeside.');
    const chosen = await server.call({
      method: 'PUT',
      url: '/password',
      payload: { user: { password: 'green-river-77', reset_password_token: link?.[1] } },
    });
    expect(chosen.statusCode).toBe(204);
    await server.signIn('invited@new.test', 'green-river-77');
  });
});

describe('who may import', () => {
  test.each(['owner', 'parentMember', 'neighbor', 'foreigner'] as const)(
    '%s may not, and sees no imports',
    async (who) => {
      const { import_id: id } = (await send(csvOf(USER_HEAD, userRow(`own-${who.toLowerCase()}`)))).json<BulkAnswer>();
      const as = people.tokens[who];
      expect((await send(csvOf(USER_HEAD, userRow('x')), '', as)).statusCode).toBe(403);
      for (const url of [`/api/v1/bulk/${id}`, `/api/v1/bulk/${id}.csv`])
        expect((await server.call({ method: 'GET', url, as })).statusCode).toBe(404);
    },
  );

  test('visitors get 401', async () => {
    expect((await sendCsv(server, 'users', { content: csvOf(USER_HEAD) }, { as: null })).statusCode).toBe(401);
    expect((await server.call({ method: 'GET', url: '/api/v1/bulk/1' })).statusCode).toBe(401);
  });
});
