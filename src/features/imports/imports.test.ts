/** An export of one installation is imported into another: same content, new ids, books as history, each thing once. */
import { execFile, execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ExportAnswer } from '#src/features/exports/exports.contract.ts';
import { notTaken, ROWS } from '#src/features/imports/imports.contract.ts';
import { checkInvariants } from '#src/features/ledger/check-invariants.service.ts';
import { openText } from '#src/platform/secrets.ts';
import { buyPhotos, openSale } from '#tests/support/bought-photos.ts';
import { balanceOf, haveCredit } from '#tests/support/credit-codes.ts';
import { addReadyPhoto, openGallery, settleNeighborhood, type Neighborhood } from '#tests/support/neighborhood.ts';
import { useTestServer } from '#tests/support/test-server.ts';

const from = useTestServer();
const to = useTestServer();
const originals = [randomBytes(20_000), randomBytes(30_000)];
let here: Neighborhood;
let there: Neighborhood;
let credit: Awaited<ReturnType<typeof haveCredit>>;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'sideline-import-'));
  here = await settleNeighborhood(from);
  there = await settleNeighborhood(to, '-there');
  const sale = await openSale(from, here.tokens.owner, here.hawks.id, { photos: 1, priceDollars: 3 });
  await buyPhotos(from, [sale]);
  const sheet = await from.call({
    method: 'POST',
    url: `/api/v1/affiliates/${here.hawks.id}/price_sheets`,
    as: here.tokens.owner,
    payload: { price_sheet: { name: 'Fall', offers: [{ kind: 'bundle', photos: 3, price: 10 }] } },
  });
  const galleryId = await openGallery(from, here.tokens.owner, here.hawks.id, {
    name: 'Cup Final',
    price_sheet_id: sheet.json<{ id: number }>().id,
    password_required: true,
    password: 'goalkeeper',
  });
  const coupons = [
    {
      code: 'GOESON',
      kind: 'photos',
      value: 2,
      max_uses: 5,
      gallery_ids: [galleryId],
      sheet_ids: [sheet.json<{ id: number }>().id],
    },
    { code: 'ENDED', kind: 'percent', value: 20 },
  ];
  for (const coupon of coupons) {
    const url = `/api/v1/affiliates/${here.hawks.id}/coupons`;
    const made = await from.call({ method: 'POST', url, as: here.tokens.owner, payload: { coupon } });
    const { id } = made.json<{ id: number }>();
    if (coupon.code === 'ENDED') await from.call({ method: 'POST', url: `${url}/${id}/end`, as: here.tokens.owner });
    else
      await from.data.ownerQuery(
        `insert into coupon_uses (order_id, coupon_id, organization_id, person, state, sold_cents, saved_cents)
         select id, $1, organization_id, sha256('maria'), 'used', 300, 100 from orders where organization_id = $2`,
        [id, here.hawks.id],
      );
  }
  credit = await haveCredit(from, here.hawks.id);
  for (const [index, bytes] of originals.entries()) {
    const id = await addReadyPhoto(
      from,
      { id: galleryId, organizationId: here.hawks.id },
      { name: `Goal ${index + 1}` },
    );
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const key = `originals/${sha256.slice(0, 2)}/${sha256}.jpg`;
    await from.platform.storage.put(key, bytes, { contentType: 'image/jpeg' });
    await from.data.ownerQuery(
      'update photos set original_key = $2, original_sha256 = $3, original_bytes = $4, featured = $5, price_override_cents = 450 where id = $1',
      [id, key, sha256, bytes.length, index === 0],
    );
    await from.data.ownerQuery(
      `insert into photo_keywords (photo_id, gallery_id, organization_id, name) values ($1, $2, $3, 'number 7')`,
      [id, galleryId, here.hawks.id],
    );
  }
  await from.data.ownerQuery('update photos set purged_at = now() where gallery_id = $1', [sale.galleryId]);
  await from.data.ownerQuery(
    `update organizations set primary_color = '#123456', time_zone = 'America/Chicago' where id = $1`,
    [here.hawks.id],
  );
  const asked = await from.call({
    method: 'POST',
    url: `/api/v1/affiliates/${here.hawks.id}/exports`,
    as: here.tokens.owner,
  });
  await from.app.exports.make(asked.json<ExportAnswer>().id);
  const list = await from.call({
    method: 'GET',
    url: `/api/v1/affiliates/${here.hawks.id}/exports`,
    as: here.tokens.owner,
  });
  for (const { url, name } of list.json<{ exports: ExportAnswer[] }>().exports[0]?.parts ?? []) {
    const { rawPayload } = await from.call({ method: 'GET', url, as: here.tokens.owner });
    writeFileSync(path.join(folder, name), rawPayload);
    execFileSync('python3', ['-m', 'zipfile', '-e', path.join(folder, name), folder]);
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const load = (options: Partial<Parameters<typeof to.app.imports.importCopy>[0]> = {}) =>
  to.app.imports.importCopy({ folder, parent: there.parent.path, path: null, by: there.emails.admin, ...options });

/** Changes a file of the export during `work`. */
async function withChanged<T>(name: string, work: () => Promise<T>): Promise<T> {
  const file = path.join(folder, name);
  const before = readFileSync(file);
  appendFileSync(file, ' ');
  try {
    return await work();
  } finally {
    writeFileSync(file, before);
  }
}

/** Changes the first row of a dataset, or its text, and the manifest, as anyone with the export can. */
async function withRow<T>(
  dataset: string,
  changes: object | ((text: string) => string),
  work: () => Promise<T>,
): Promise<T> {
  const [name, manifest] = [`${dataset}-0001.jsonl`, 'sideline-export.json'];
  const [rows, about] = [name, manifest].map((each) => readFileSync(path.join(folder, each), 'utf8')) as [
    string,
    string,
  ];
  const [first = '{}', ...rest] = rows.split('\n');
  const text =
    typeof changes === 'function'
      ? changes(rows)
      : [JSON.stringify({ ...(JSON.parse(first || '{}') as object), ...changes }), ...rest].join('\n');
  const told = JSON.parse(about) as { files: { name: string; bytes: number; sha256: string }[] };
  const sha256 = createHash('sha256').update(text).digest('hex');
  const files = told.files.map((file) =>
    file.name === name ? { ...file, bytes: Buffer.byteLength(text), sha256 } : file,
  );
  writeFileSync(path.join(folder, name), text);
  writeFileSync(path.join(folder, manifest), JSON.stringify({ ...told, files }));
  try {
    return await work();
  } finally {
    writeFileSync(path.join(folder, name), rows);
    writeFileSync(path.join(folder, manifest), about);
  }
}

function photoRow(name: string): { file: string } {
  const lines = readFileSync(path.join(folder, 'photos-0001.jsonl'), 'utf8').split('\n');
  return JSON.parse(lines.find((line) => line.includes(name)) ?? '') as { file: string };
}

const galleriesOf = (organizationId: number) =>
  to.data.ownerQuery<{ id: number; name: string; password_encrypted: Buffer | null }>(
    'select id, name, password_encrypted from galleries where organization_id = $1 order by name',
    [organizationId],
  );

describe('importing an export', () => {
  test('is refused, with nothing created, for changed files, a missing parent and someone who is not a platform admin', async () => {
    const begun = () => to.data.ownerQuery('select id from organization_imports order by id');
    const before = await begun();
    // A different export than the one that an earlier test may have imported.
    await withChanged('sideline-export.json', async () => {
      await expect(withChanged('galleries-0001.jsonl', () => load())).rejects.toThrow('galleries-0001.jsonl');
      await expect(load({ parent: null })).rejects.toThrow('with --parent');
      await expect(load({ parent: 'nowhere' })).rejects.toThrow('no parent organization');
      await expect(load({ by: there.emails.owner })).rejects.toThrow('No platform admin');
      await expect(load({ path: 'hawks-there' })).rejects.toThrow('domain name is taken');
    });
    const manifest = path.join(folder, 'sideline-export.json');
    const whole = readFileSync(manifest);
    writeFileSync(manifest, whole.subarray(0, 40));
    await expect(load().finally(() => writeFileSync(manifest, whole))).rejects.toThrow('is damaged, or not that of');
    await expect(load({ folder: manifest })).rejects.toThrow('This is a file');
    await expect(load({ folder: path.dirname(folder) })).rejects.toThrow('unpack all archives');
    expect(await begun()).toEqual(before);
  });

  test.each([
    ['galleries', { created_at: 'infinity' }],
    ['photos', { created_at: 'infinity' }],
    ['photos', { order_key: '!' }],
    ['organization', { time_zone: 'Mars/Base' }],
    ['organization', { contact_email: 'x' }],
    ['people', { role: 3 }],
    ['people', { email: 'nobody' }],
    ['galleries', { name: 'x'.repeat(201) }],
    ['photos', { turns: 99 }],
    ['photos', { price_override_cents: -5 }],
    ['photos', { bytes: 20_000_000 }],
    ['photos', { keywords: Array<string>(51).fill('x') }],
  ])('is refused with nothing created when its %s have what no form accepts: %j', async (dataset, changes) => {
    const begun = () => to.data.ownerQuery('select id from organization_imports order by id');
    const before = await begun();
    const [field = ''] = Object.keys(changes);
    await expect(withRow(dataset, changes, () => load({ path: 'hawks-bad' }))).rejects.toThrow(
      notTaken(dataset, field),
    );
    expect(await begun()).toEqual(before);
  });

  test.each<[string, string, (text: string) => string, string]>([
    ['galleries', 'two rows with one id', (text) => `${text}${text}`, notTaken('galleries', 'id')],
    ['orders', 'a line that is no row', (text) => `${text}null\n`, notTaken('orders-0001.jsonl', 'line 3')],
    ['ledger', 'half a line', (text) => text.slice(0, -9), 'line'],
    ['orders', 'a character without a code', (text) => text.replace('{', '{"x":"\\ud800",'), 'line 1'],
    ['orders', 'a zero byte', (text) => text.replace('{', '{"x":"\\u0000",'), 'line 1'],
    ['galleries', 'a price below zero', (text) => text.replace(/"price_cents":\d+/, '"price_cents":-5'), '_check'],
  ])('is refused with nothing created when its %s have %s', async (dataset, _what, change, message) => {
    const begun = () => to.data.ownerQuery('select id from organization_imports order by id');
    const before = await begun();
    const refused = withRow(dataset, change, () => load({ path: 'hawks-bad' }));
    await expect(refused).rejects.toMatchObject({
      code: 'invalid',
      message: expect.stringContaining(message) as string,
    });
    expect(await begun()).toEqual(before);
  });

  test('leaves out addresses that pages may not link to', async () => {
    const bad = 'javascript:alert(1)';
    const made = await withRow('organization', { tablet_ad_url: bad, mobile_ad_url: 'https://good.example/x' }, () =>
      load({ path: 'hawks-links' }),
    );
    const [organization] = await to.data.ownerQuery(
      'select tablet_ad_url, mobile_ad_url from organizations where id = $1',
      [made.organizationId],
    );
    expect(organization).toEqual({ tablet_ad_url: null, mobile_ad_url: 'https://good.example/x' });
    const person = { id: 1, gallery_id: 1, name: 'Ana', email: 'ana@a.test', created_at: '2026-11-23T10:00:00.000Z' };
    expect(ROWS.contributors.parse({ ...person, site: bad, instagram: bad })).toMatchObject({
      site: null,
      instagram: null,
    });
  });

  test('is a command that says in one sentence what is wrong', async () => {
    const script = path.resolve(import.meta.dirname, '../../../scripts/import.ts');
    const env = {
      PATH: process.env.PATH ?? '',
      DATA_DIR: path.join(folder, 'data-dir'),
      DATABASE_URL: to.data.superUrl,
      ALLOW_SANDBOX: '1',
      APP_SECRET: 's'.repeat(32),
    };
    const call = promisify(execFile)(process.execPath, [script, folder, '--by', there.emails.owner], { env });
    await expect(call).rejects.toMatchObject({ code: 1, stderr: 'No platform admin has this email address.\n' });
  });

  test('finishes without an absent original, which it names and adds once it is there', async () => {
    const { file } = photoRow('Goal 1');
    const [at, moved] = [path.join(folder, file), path.join(folder, 'moved.jpg')];
    const said: string[] = [];
    const again = () => load({ path: 'hawks-absent', onProgress: (text) => said.push(text) });
    await withRow('coupons', { max_uses: 6 }, async () => {
      renameSync(at, moved);
      const made = await again().finally(() => renameSync(moved, at));
      expect(made).toMatchObject({ photos: 1, wasThere: false });
      expect(said).toEqual([expect.stringMatching(`^1 photo was not imported, .* no such file: ${file}. If`)]);
      const [kept] = await to.data.ownerQuery(
        `select i.finished_at, (select count(*)::int from imported_records r where r.import_id = i.id and r.dataset = 'orders') as orders
           from organization_imports i where i.organization_id = $1`,
        [made.organizationId],
      );
      expect(kept).toEqual({ finished_at: expect.any(Date) as Date, orders: 2 });
      await expect(withChanged(file, again)).rejects.toThrow(file);
      const open = 'update galleries set active = $2 where organization_id = $1';
      await to.data.ownerQuery(open, [made.organizationId, false]);
      expect(await again()).toMatchObject({ photos: 0, wasThere: true });
      await to.data.ownerQuery(open, [made.organizationId, true]);
      expect(await again()).toEqual({ ...made, photos: 1, records: 0, wasThere: true });
      expect(await again()).toMatchObject({ photos: 0, wasThere: true });
    });
    expect(said).toHaveLength(1);
  });

  test('continues after a changed file, creates everything once, and keeps the books as history', async () => {
    const { file } = photoRow('Goal 2');
    await expect(withChanged(file, () => load({ path: 'hawks-moved' }))).rejects.toThrow(file);
    const unfinished = `select count(*)::int as rows from organization_imports i join imported_records r on r.import_id = i.id
       where i.finished_at is null and r.dataset = 'orders'`;
    expect(await to.data.ownerQuery(unfinished)).toEqual([{ rows: 2 }]);

    const made = await load({ path: 'hawks-moved' });
    expect(made).toMatchObject({ photos: 1, wasThere: false });
    expect(await load({ path: 'hawks-moved' })).toMatchObject({
      organizationId: made.organizationId,
      wasThere: true,
    });

    const [organization] = await to.data.ownerQuery(
      'select name, domain_name, kind, parent_organization_id, primary_color, time_zone from organizations where id = $1',
      [made.organizationId],
    );
    expect(organization).toEqual({
      name: 'hawks',
      domain_name: 'hawks-moved',
      kind: 'affiliate',
      parent_organization_id: there.parent.id,
      primary_color: '#123456',
      time_zone: 'America/Chicago',
    });
    const galleries = await galleriesOf(made.organizationId);
    expect(galleries.map(({ name }) => name)).toEqual(['Cup Final', 'Cup Final']);
    const locked = galleries.find(({ password_encrypted: sealed }) => sealed !== null);
    expect(openText(to.platform.keys.galleryPasswords, locked?.password_encrypted ?? Buffer.alloc(0))).toBe(
      'goalkeeper',
    );
    const sheets = await to.data.ownerQuery(
      `select s.name, s.last_offer_id, v.content, g.id as gallery from price_sheets s join price_sheet_versions v on v.sheet_id = s.id
         join galleries g on g.price_sheet_id = s.id where s.organization_id = $1`,
      [made.organizationId],
    );
    expect(sheets).toEqual([
      {
        name: 'Fall',
        last_offer_id: 1,
        content: {
          offers: [{ id: 1, kind: 'bundle', photos: 3, priceCents: 1000 }],
          ownPricesTakePart: false,
          earlyBird: null,
        },
        gallery: locked?.id,
      },
    ]);
    // Of five uses one is taken.
    expect(
      await to.data.ownerQuery(
        'select code, kind, value, max_uses, gallery_ids, sheet_ids from coupons where organization_id = $1',
        [made.organizationId],
      ),
    ).toEqual([
      {
        code: 'GOESON',
        kind: 'photos',
        value: 2,
        max_uses: 4,
        gallery_ids: [locked?.id],
        sheet_ids: [expect.any(Number)],
      },
    ]);
    const rows = await to.data.ownerQuery<{
      name: string;
      featured: boolean;
      upload_key: string;
      keyword: string;
      queued: number;
    }>(
      `select p.name, p.featured, p.price_override_cents, p.upload_key, k.name::text as keyword,
              (select count(*)::int from pgboss.job j where j.name = 'photo.ingest' and j.data ->> 'photoId' = p.id::text) as queued
         from photos p join photo_keywords k on k.photo_id = p.id where p.organization_id = $1 order by p.name`,
      [made.organizationId],
    );
    expect(rows).toMatchObject([
      { name: 'Goal 1', featured: true, price_override_cents: 450, keyword: 'number 7', queued: 1 },
      { name: 'Goal 2', featured: false, queued: 1 },
    ]);
    const stored = await Promise.all(rows.map(({ upload_key: key }) => to.platform.storage.get(key)));
    expect(stored.map((bytes, index) => bytes?.equals(originals[index] ?? Buffer.alloc(0)))).toEqual([true, true]);

    const [history] = await to.data.ownerQuery(
      `select count(*) filter (where dataset = 'orders')::int as orders, count(*) filter (where dataset = 'ledger')::int as entries,
              (select count(*)::int from orders where organization_id = $1) as live from imported_records where organization_id = $1`,
      [made.organizationId],
    );
    expect(history).toEqual({ orders: 2, entries: expect.any(Number) as number, live: 0 });
    // Credit is history, too: its code pays for nothing here, and the export does not contain it.
    const [code] = await to.data.ownerQuery<{ facts: object }>(
      `select facts from imported_records where organization_id = $1 and dataset = 'credit_codes'`,
      [made.organizationId],
    );
    expect(code?.facts).toMatchObject({ last4: credit.last4, paid_cents: 2500, is_gift: false });
    expect(await balanceOf(to, credit.code)).toMatchObject({ error: 'We do not recognize this code.' });
    const files = readdirSync(folder).filter((name) => name.endsWith('.jsonl') || name.endsWith('.csv'));
    const told = files.map((name) => readFileSync(path.join(folder, name), 'utf8')).join('\n');
    for (const secret of [credit.code, credit.code.replaceAll('-', '')]) expect(told).not.toContain(secret);
    const waiting = await to.data.ownerQuery(
      `select u.email::text, u.password_hash from membership_invitations i join users u on u.id = i.user_id where i.organization_id = $1`,
      [made.organizationId],
    );
    expect(waiting).toEqual([{ email: here.emails.owner, password_hash: null }]);
    expect(await checkInvariants({ database: to.platform.database, sandboxCards: true })).toEqual([]);
    await to.data.ownerQuery(
      `update imported_records set facts = jsonb_set(facts, '{amount_cents}', '1') where dataset = 'ledger' and place = 1`,
    );
    expect((await checkInvariants({ database: to.platform.database, sandboxCards: true })).join()).toContain(
      'imported books',
    );
  });
});
