/** Galleries from a file, over HTTP (specification A§5, 8; bad inputs 116-119; rule 27). */
import { beforeAll, describe, expect, test } from 'vitest';
import type { AuditPage } from '#src/features/audit/audit.contract.ts';
import type { BulkAnswer } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { galleriesDemoFile } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { csvOf, GALLERY_HEAD, galleryRow, sendCsv } from '#tests/support/csv-files.ts';
import { openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const server = useTestServer({ works: true });
let people: Neighborhood;
beforeAll(async () => {
  people = await settleNeighborhood(server);
});

const send = (content: string, query = '') =>
  sendCsv(server, 'galleries', { content }, { as: people.tokens.admin, query });
const rowsOf = (answer: { json<T>(): T }) =>
  answer.json<BulkAnswer>().rows.map(({ row, result, errors }) => [row, result, ...errors]);
const galleryOf = async (name: string) => {
  const [row] = await server.data.ownerQuery<{ id: number }>('select id from galleries where name = $1', [name]);
  const answer = await server.call({
    method: 'GET',
    url: `/api/v1/galleries/${row?.id}/full`,
    as: people.tokens.owner,
  });
  return answer.json<unknown[]>()[0];
};
const countOf = async (name: string) =>
  (await server.data.ownerQuery('select id from galleries where name = $1', [name])).length;

describe('a file of galleries', () => {
  test('creates each of them in its organization, with all its settings', async () => {
    const answer = await send(
      csvOf(
        GALLERY_HEAD,
        galleryRow('Plain'),
        galleryRow('Everything', {
          orgname: 'HAWKS',
          pricePerPhoto: '0',
          hideGallery: 'Yes',
          watermark: 'NO',
          passwordRequired: 'y',
          password: 'goalkeeper',
          allowContributions: 'true',
          allowVoting: '1',
          fundraisingGoalRecipient: 'New goals',
          fundraisingGoal: '1200.50',
        }),
      ),
    );
    expect([answer.statusCode, ...rowsOf(answer)]).toEqual([200, [2, 'created'], [3, 'created']]);
    const usual = {
      is_private: false,
      display_watermark: true,
      password_required: false,
      allow_public_contributions: false,
      allow_voting: false,
      display_goal: false,
      target_goal: 0,
    };
    expect(await galleryOf('Plain')).toMatchObject({ price_per_photo: 4.5, photos_by: 'Rosa', ...usual });
    expect(await galleryOf('Everything')).toMatchObject({
      price_per_photo: 0,
      is_private: true,
      display_watermark: false,
      password_required: true,
      password: 'goalkeeper',
      allow_public_contributions: true,
      allow_voting: true,
      goal_description: 'New goals',
      target_goal: 1200.5,
      display_goal: true,
    });
    // Waiting rows never contain readable passwords, before or after.
    const stored = await server.data.ownerQuery<{ text: string }>(
      'select bulk_import_rows::text as text from bulk_import_rows',
    );
    expect(stored.map(({ text }) => text).join('')).not.toContain('goalkeeper');
  });

  test('again creates nothing twice; a deleted gallery is created again, and two with one name are two', async () => {
    const file = csvOf(GALLERY_HEAD, galleryRow('Twice'), galleryRow('Twice'), galleryRow('Once'));
    expect((await send(file)).json()).toMatchObject({ created: 3, skipped: 0 });
    expect((await send(file)).json()).toMatchObject({ created: 0, skipped: 3, failed: 0 });
    const [once] = await server.data.ownerQuery<{ id: number }>("select id from galleries where name = 'Once'");
    await server.call({ method: 'POST', url: `/api/v1/galleries/${once?.id}/inactive`, as: people.tokens.owner });
    expect((await send(file)).json()).toMatchObject({ created: 1, skipped: 2 });
    expect([await countOf('Twice'), await countOf('Once')]).toEqual([2, 2]);
  });

  test('reports equal lines before the import', async () => {
    const line = galleryRow('Copied', { pricePerPhoto: '3' });
    const file = csvOf(GALLERY_HEAD, line, line, galleryRow('Copied', { pricePerPhoto: '4' }), line);
    const looked = await send(file, '?dry_run=true');
    expect(looked.json()).toMatchObject({
      created: 4,
      notices: ['2 rows are the same as an earlier row (3, 5). Each creates a separate gallery.'],
    });
    expect((await send(file)).json()).toMatchObject({ created: 4, skipped: 0 });
    expect(await countOf('Copied')).toBe(4);
    expect((await send(file, '?dry_run=true')).json()).toMatchObject({ created: 0, skipped: 4, notices: [] });
  });

  test('may be the demo file', async () => {
    const { text } = galleriesDemoFile({ name: 'hawks', domainName: 'hawks' });
    expect((await send(text, '?dry_run=true')).json()).toMatchObject({ created: 2, failed: 0, notices: [] });
  });

  test('in two tabs at once is imported once', async () => {
    const file = csvOf(GALLERY_HEAD, ...Array.from({ length: 40 }, (_, index) => galleryRow(`Tabs ${index}`)));
    const answers = await Promise.all([send(file), send(file), send(file)]);
    const statuses = answers.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, 409, 409]);
    const [first, refused] = [200, 409].map((status) => answers.find(({ statusCode }) => statusCode === status));
    expect(refused?.json()).toMatchObject({
      error: 'This file is already being imported',
      import_id: first?.json<BulkAnswer>().import_id,
    });
    expect(
      await server.data.ownerQuery(
        "select name from galleries where name like 'Tabs %' group by name having count(*) > 1",
      ),
    ).toEqual([]);
  });
});

describe('rows with problems', () => {
  test('report all of them', async () => {
    const answer = await send(
      csvOf(
        GALLERY_HEAD,
        galleryRow('', { orgname: '', pricePerPhoto: '', photosBy: '', domain_name: 'x' }),
        ...['$2', '"2,5"', '-1', 'abc', '1e2'].map((price) => galleryRow('Price', { pricePerPhoto: price })),
        galleryRow('Dear', { pricePerPhoto: '10000.01' }),
        galleryRow('Fine grained', { pricePerPhoto: '1.005' }),
        galleryRow('Maybe', { hideGallery: 'maybe', watermark: 'ja', allowVoting: '2' }),
        galleryRow('Locked', { passwordRequired: 'yes' }),
        galleryRow('Other domain', { domain_name: 'tides' }),
        galleryRow('Other name', { orgname: 'Eagles' }),
        galleryRow('Goal', { fundraisingGoal: 'much', fundraisingGoalRecipient: 'x'.repeat(501) }),
      ),
      '?dry_run=true',
    );
    const price = 'Price per photo must be a valid number';
    const range = 'Price per photo must be from $0 to $10,000, with at most two decimals.';
    expect(rowsOf(answer)).toEqual([
      [
        2,
        'failed',
        'orgname is required',
        'galleryName is required',
        'pricePerPhoto is required',
        'photosBy is required',
      ],
      // The same as in the form.
      [3, 'created'],
      ...[4, 5, 6, 7].map((row) => [row, 'failed', price]),
      [8, 'failed', range],
      [9, 'failed', range],
      [10, 'failed', 'hideGallery must be yes or no', 'watermark must be yes or no', 'allowVoting must be yes or no'],
      [11, 'failed', 'Password is required when Password Required is true'],
      [12, 'failed', 'Organization with name hawks and domain_name tides not found'],
      [13, 'failed', 'Organization with name Eagles and domain_name hawks not found'],
      [
        14,
        'failed',
        'Fundraising goal must be a valid number',
        'fundraisingGoalRecipient must have at most 500 characters',
      ],
    ]);
  });

  test('are resolved by the domain name if two organizations have the same name', async () => {
    const id = await server.app.organizations.create({
      kind: 'affiliate',
      name: 'hawks',
      domainName: 'hawks-two',
      parentOrganizationId: people.stranger.id,
      contactName: null,
      contactEmail: null,
      freeTier: false,
    });
    await send(csvOf(GALLERY_HEAD, galleryRow('Of the second', { domain_name: 'Hawks-Two' })));
    const [row] = await server.data.ownerQuery('select organization_id from galleries where name = $1', [
      'Of the second',
    ]);
    expect(row).toEqual({ organization_id: id });
  });

  test('include a second active gallery on the free tier', async () => {
    const tides = (name: string) => galleryRow(name, { orgname: 'tides', domain_name: 'tides' });
    const upgrade = 'Please Upgrade to have more than 1 active gallery.';
    const looked = await send(csvOf(GALLERY_HEAD, tides('Free one'), tides('Free two')), '?dry_run=true');
    expect(rowsOf(looked)).toEqual([
      [2, 'created'],
      [3, 'failed', upgrade],
    ]);
    await openGallery(server, people.tokens.neighbor, people.tides.id);
    expect(rowsOf(await send(csvOf(GALLERY_HEAD, tides('Free one'), galleryRow('Of hawks'))))).toEqual([
      [2, 'failed', upgrade],
      [3, 'created'],
    ]);
  });
});

test('a row that fails after its check is reported, and the others are imported', async () => {
  await server.data.ownerQuery("alter table galleries add constraint refused_by_a_test check (name <> 'Refused')");
  try {
    const answer = await send(csvOf(GALLERY_HEAD, galleryRow('Refused'), galleryRow('Taken all the same')));
    expect(rowsOf(answer)).toEqual([
      [2, 'failed', 'Failed to create gallery. Please check the data and try again.'],
      [3, 'created'],
    ]);
  } finally {
    await server.data.ownerQuery('alter table galleries drop constraint refused_by_a_test');
  }
});

describe('the result file', () => {
  test('has every row without passwords, runs no formula, and can be fixed and uploaded again', async () => {
    const name = '"=HYPERLINK(""http://x"")"';
    const { import_id: id } = (
      await send(
        csvOf(GALLERY_HEAD, galleryRow(name), galleryRow('To mend', { pricePerPhoto: 'x', password: 'secret-word' })),
      )
    ).json<BulkAnswer>();
    const as = people.tokens.admin;
    const all = await server.call({ method: 'GET', url: `/api/v1/bulk/${id}.csv`, as });
    expect(all.headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(all.headers['content-disposition']).toBe('attachment; filename="rows-results.csv"');
    expect(all.body).toContain(`"'=HYPERLINK(""http://x"")"`);
    expect(all.body).not.toContain('secret-word');
    const failed = await server.call({ method: 'GET', url: `/api/v1/bulk/${id}.csv?result=failed`, as });
    expect(failed.headers['content-disposition']).toBe('attachment; filename="rows-failed-rows.csv"');
    expect(failed.body.split('\r\n')).toHaveLength(3);
    // Its own columns are not pointed out when it comes back.
    const again = (await send(failed.body.replace('"x"', '"5"'), '?dry_run=true')).json<BulkAnswer>();
    expect(again.notices.join()).not.toContain('Not used');
    expect(rowsOf(await send(failed.body.replace('"x"', '"5"')))).toEqual([[2, 'created']]);
    const page = await server.call({ method: 'GET', url: `/api/v1/bulk/${id}?limit=1&after=2`, as });
    expect(rowsOf(page)).toEqual([[3, 'failed', 'Price per photo must be a valid number']]);
  });

  test('is in the audit log with the name of the file, which may be a person’s, only in the answer', async () => {
    const { import_id: id } = (
      await sendCsv(
        server,
        'galleries',
        { content: csvOf(GALLERY_HEAD, galleryRow('Logged')), name: 'Una Jensen.csv' },
        { as: people.tokens.admin },
      )
    ).json<BulkAnswer>();
    const log = await server.call({
      method: 'GET',
      url: `/api/v1/audit_log?object_type=bulk_import&object_id=${id}`,
      as: people.tokens.admin,
    });
    expect(log.json<AuditPage>().entries).toMatchObject([{ object_name: 'Una Jensen.csv' }]);
    const stored = await server.data.ownerQuery(
      "select details from audit_log where object_type = 'bulk_import' and object_id = $1",
      [String(id)],
    );
    expect(stored).toEqual([{ details: { kind: 'galleries', rows: 1, valid: 1 } }]);
  });

  test('loses the file’s text and name after 30 days, and the import its passwords at once', async () => {
    await server.data.ownerQuery("update bulk_imports set finished_at = finished_at - interval '31 days'");
    expect(await server.app.bulkImports.forgetCells()).toBeGreaterThan(0);
    expect(
      await server.data.ownerQuery(
        'select row_no from bulk_import_rows where cells is not null or password_sealed is not null',
      ),
    ).toEqual([]);
    const named = () => server.data.ownerQuery('select distinct file_name from bulk_imports');
    expect(await named()).toEqual([{ file_name: 'Name deleted' }]);
    // Forgotten by a release that keeps names.
    await server.data.ownerQuery("update bulk_imports set file_name = 'Una Jensen.csv'");
    await server.app.bulkImports.forgetCells();
    expect(await named()).toEqual([{ file_name: 'Name deleted' }]);
    expect(await server.app.bulkImports.forgetCells()).toBe(0);
  });
});

test('an import whose attempts all failed is reported as failed, and no password remains', async () => {
  const caller = {
    actor: await server.app.accounts.actorOf(people.tokens.admin),
    visitorId: null,
    unlocks: new Map(),
    ip: '127.0.0.1',
  };
  // Started, and given up before the worker reached it.
  const { import_id: id } = (
    await send(csvOf(GALLERY_HEAD, galleryRow('Given up', { password: 'goalkeeper' })), '?wait=0')
  ).json<BulkAnswer>();
  await server.app.bulkImports.giveUp(id ?? 0);
  const answer = await server.app.bulkImports.readWhenOver(caller, id ?? 0, 5);
  expect(['finished', 'stopped']).toContain(answer.status);
  expect(answer.waiting).toBe(0);
});
