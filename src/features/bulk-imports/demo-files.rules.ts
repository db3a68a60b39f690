/** Demo files of the bulk tools: the columns of the specification (A§3) with an example to write over. */
import { COLUMNS } from '#src/features/bulk-imports/csv-columns.rules.ts';
import { writeCsv } from '#src/shared/csv.ts';

export type DemoFile = { name: string; text: string };

/** Accounts below a parent: one with a password, one that is invited by mail. @param parent its name */
export function usersDemoFile(parent: string): DemoFile {
  return {
    name: 'demo-accounts.csv',
    text: writeCsv(COLUMNS.users.all, [
      [
        parent,
        'Harbor Rowing Club',
        'harbor-rowing',
        'Ada',
        'Park',
        'ada.park@example.com',
        'nine fine pines',
        '12-3456789',
      ],
      [parent, 'Northside Band Boosters', 'northside-band', 'Luis', 'Vega', 'luis.vega@example.com', '', '98-7654321'],
    ]),
  };
}

/** Galleries of an affiliate: one with everything, one with what is required. */
export function galleriesDemoFile(affiliate: { name: string; domainName: string }): DemoFile {
  const { name, domainName } = affiliate;
  return {
    name: 'demo-galleries.csv',
    text: writeCsv(COLUMNS.galleries.all, [
      [
        name,
        'Spring Cup Final',
        '4.00',
        name,
        'no',
        'yes',
        'yes',
        'goalkeeper',
        'yes',
        'yes',
        'New goals for the field',
        '1200',
        domainName,
      ],
      [name, 'Team Portraits', '8.00', name, '', '', '', '', '', '', '', '', domainName],
    ]),
  };
}

/** For a link that saves the file, with or without a script. */
export function demoFileAddress({ text }: DemoFile): string {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}
