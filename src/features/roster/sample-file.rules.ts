/** A sample file with every column of a roster. */
import { writeCsv } from '#src/shared/csv.ts';

const HEAD = ['First name', 'Last name', 'Number', 'Team', 'Family email', 'Consent', 'ID'];

/** A row for each consent, with invented children. */
export const sampleFile = () => ({
  name: 'roster-sample.csv',
  text: writeCsv(HEAD, [
    ['Maya', 'Rivera', '10', 'Hawks U12', 'rivera@example.com; maya.dad@example.com', 'yes', 'H-101'],
    ['Leo', 'P.', '07', 'Hawks U12', 'park@example.com', 'family', 'H-102'],
    ['Ada', 'Lindqvist', '', 'Tides U12', '', 'no', 'H-103'],
  ]),
});
