/** CSV files of accounts and galleries as spreadsheets write them, and the form in which a browser sends them. */
import { COLUMNS, type Column } from '#src/features/bulk-imports/csv-columns.rules.ts';
import type { TestServer } from '#tests/support/test-server.ts';

export const USER_HEAD = COLUMNS.users.all.join(',');
export const GALLERY_HEAD = COLUMNS.galleries.all.join(',');

type Fields<Kind extends keyof typeof COLUMNS> = Partial<Record<Column<Kind>, string>>;

/** A valid row, below the neighborhood's parent. */
export function userRow(name: string, fields: Fields<'users'> = {}): string {
  const cells: Fields<'users'> = {
    orgname: 'lakeside',
    newOrgName: `${name} Club`,
    customPath: name,
    firstName: 'Una',
    lastName: name,
    email: `${name}@new.test`,
    password: 'orange-river-9',
    tax_id: '12-3456789',
    ...fields,
  };
  return COLUMNS.users.all.map((column) => cells[column] ?? '').join(',');
}

/** A valid row, of the neighborhood's hawks. */
export function galleryRow(name: string, fields: Fields<'galleries'> = {}): string {
  const cells: Fields<'galleries'> = {
    orgname: 'hawks',
    galleryName: name,
    pricePerPhoto: '4.50',
    photosBy: 'Rosa',
    domain_name: 'hawks',
    ...fields,
  };
  return COLUMNS.galleries.all.map((column) => cells[column] ?? '').join(',');
}

export const csvOf = (head: string, ...rows: string[]): string => `${[head, ...rows].join('\n')}\n`;

export type SentFile = { content: string | Uint8Array; name?: string; type?: string };

/** Sends a file as a browser does. */
export async function sendCsv(
  server: TestServer,
  kind: 'users' | 'galleries' | 'roster',
  file: SentFile,
  { as, query = '' }: { as: string | null; query?: string },
) {
  const form = new FormData();
  const bytes = typeof file.content === 'string' ? Buffer.from(file.content) : file.content;
  form.append('file', new Blob([Uint8Array.from(bytes)], { type: file.type ?? 'text/csv' }), file.name ?? 'rows.csv');
  const encoded = new Request('http://form.invalid', { method: 'POST', body: form });
  return server.call({
    method: 'POST',
    url: `/api/v1/bulk/${kind}${query}`,
    as,
    payload: Buffer.from(await encoded.arrayBuffer()),
    headers: { 'content-type': encoded.headers.get('content-type') ?? '' },
  });
}
