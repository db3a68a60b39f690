/** The columns of both files, and how a file's headers are matched with them (specification A§3, 5; bad inputs 110, 114). */
import { missingHeaders, type ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { tidyText } from '#src/shared/validators.ts';
import { writeCsv } from '#src/shared/csv.ts';

type Columns = { all: readonly string[]; required: readonly string[] };

export const COLUMNS = {
  users: {
    all: ['orgname', 'newOrgName', 'customPath', 'firstName', 'lastName', 'email', 'password', 'tax_id'],
    required: ['orgname', 'newOrgName', 'customPath', 'firstName', 'lastName', 'email', 'tax_id'],
  },
  galleries: {
    all: [
      'orgname',
      'galleryName',
      'pricePerPhoto',
      'photosBy',
      'hideGallery',
      'watermark',
      'passwordRequired',
      'password',
      'allowContributions',
      'allowVoting',
      'fundraisingGoalRecipient',
      'fundraisingGoal',
      'domain_name',
    ],
    required: ['orgname', 'galleryName', 'pricePerPhoto', 'photosBy', 'domain_name'],
  },
} as const satisfies Record<ImportKind, Columns>;

export type Column<Kind extends ImportKind> = (typeof COLUMNS)[Kind]['all'][number];

/** Added by the file of results. */
export const RESULT_COLUMNS: readonly string[] = ['row', 'result', 'id', 'errors'];

/** The cells of a row by column name; columns that the file lacks are blank. */
export type Cells = Record<string, string>;

/** How headers are compared: "Custom Path", "custom_path" and "customPath" are equal. */
const plain = (header: string) =>
  tidyText(header)
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '');

type ColumnPlan = {
  /** The name of the column at each position of the file; null if it is not used. */
  names: (string | null)[];
  notices: string[];
};

/** The position of each column; or the message that lists missing and repeated ones. */
export function planColumns(kind: ImportKind, headers: readonly string[]): ColumnPlan | { error: string } {
  const { all, required } = COLUMNS[kind] satisfies Columns as Columns;
  const known = new Map(all.map((name) => [plain(name), name]));
  const names = headers.map((header) => known.get(plain(header)) ?? null);
  const missing = required.filter((name) => !names.includes(name));
  const twice = all.filter((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (missing.length + twice.length > 0)
    return { error: missingHeaders([...missing, ...twice.map((name) => `${name} (appears twice)`)]) };
  const isOurs = RESULT_COLUMNS.every((name) => headers.includes(name));
  const unused = headers.filter(
    (header, index) => names[index] === null && tidyText(header) !== '' && !(isOurs && RESULT_COLUMNS.includes(header)),
  );
  const absent = all.filter((name) => !names.includes(name));
  return {
    names,
    notices: [
      ...(unused.length > 0 ? [`Not used: ${unused.slice(0, 10).map(shortened).join(', ')}`] : []),
      ...(absent.length > 0 ? [`Not in this file, so defaults apply: ${absent.join(', ')}`] : []),
    ],
  };
}

const shortened = (header: string) =>
  tidyText(header).length > 40 ? `${tidyText(header).slice(0, 40)}…` : tidyText(header);

/** The cells of a record by name, trimmed; passwords are taken exactly as typed. */
export function cellsOf(kind: ImportKind, plan: ColumnPlan, record: readonly string[]): Cells {
  const cells: Cells = Object.fromEntries(COLUMNS[kind].all.map((name) => [name, '']));
  plan.names.forEach((name, index) => {
    if (name === null) return;
    const text = record[index] ?? '';
    // A name is one line, whatever the spreadsheet had in its cell.
    cells[name] = name === 'password' ? text : tidyText(text).replaceAll(/\s+/g, ' ');
  });
  return cells;
}

/** There is a cell beyond the last header: the row is shifted, so none of its cells are reliable. */
export const isTooWide = (plan: ColumnPlan, record: readonly string[]): boolean =>
  record.slice(plan.names.length).some((text) => text.trim() !== '');

export const isBlank = (record: readonly string[]): boolean => record.every((text) => text.trim() === '');

export type DemoFile = { name: string; text: string };

/** The first row has every column. */
type DemoRows<Kind extends ImportKind> = [Record<Column<Kind>, string>, Partial<Record<Column<Kind>, string>>];

function demoFile<Kind extends ImportKind>(kind: Kind, name: string, rows: DemoRows<Kind>): DemoFile {
  const { all } = COLUMNS[kind];
  return {
    name,
    text: writeCsv(
      all,
      rows.map((row: Partial<Cells>) => all.map((column) => row[column] ?? '')),
    ),
  };
}

/** Accounts below a parent: one with a password, one invited by email. @param parent its name */
export function usersDemoFile(parent: string): DemoFile {
  return demoFile('users', 'demo-accounts.csv', [
    {
      orgname: parent,
      newOrgName: 'Harbor Rowing Club',
      customPath: 'harbor-rowing',
      firstName: 'Ada',
      lastName: 'Park',
      email: 'ada.park@example.com',
      password: 'nine fine pines',
      tax_id: '12-3456789',
    },
    {
      orgname: parent,
      newOrgName: 'Northside Band Boosters',
      customPath: 'northside-band',
      firstName: 'Luis',
      lastName: 'Vega',
      email: 'luis.vega@example.com',
      tax_id: '98-7654321',
    },
  ]);
}

/** Galleries of an affiliate: one with all fields, one with the required ones. */
export function galleriesDemoFile({ name, domainName }: { name: string; domainName: string }): DemoFile {
  const own = { orgname: name, photosBy: name, domain_name: domainName };
  return demoFile('galleries', 'demo-galleries.csv', [
    {
      ...own,
      galleryName: 'Spring Cup Final',
      pricePerPhoto: '4.00',
      hideGallery: 'no',
      watermark: 'yes',
      passwordRequired: 'yes',
      password: 'goalkeeper',
      allowContributions: 'yes',
      allowVoting: 'yes',
      fundraisingGoalRecipient: 'New goals for the field',
      fundraisingGoal: '1200',
    },
    { ...own, galleryName: 'Team Portraits', pricePerPhoto: '8.00' },
  ]);
}
