/** What stays of a person after an erasure, and why. */
import type { ErasureAnswer } from '#src/features/erasures/erasures.contract.ts';

export type KeptRows = { orders: number; postings: number; photos: number; actions: number };

/** Rows are counted if they are in our own tables. */
export function whatStays({ orders, postings, photos, actions }: KeptRows): ErasureAnswer['stays'] {
  const counted = [
    {
      what: 'Orders without name and address: amounts, tax, zip, photos, dates',
      rows: orders,
      why: 'Books and tax records must be kept. Links of receipts that were sent still open their photos.',
    },
    { what: 'Postings in the ledger', rows: postings, why: 'Books are never changed; they name no person.' },
    {
      what: 'Photos that the person brought to galleries',
      rows: photos,
      why: 'They belong to the gallery, without a name. Remove them in the gallery, or by a request to hide them.',
    },
    {
      what: 'Lines of the audit log: an account number, an action and a time',
      rows: actions,
      why: 'Proof of who changed what; the number no longer leads to a name.',
    },
  ].filter(({ rows }) => rows > 0);
  return [
    ...counted,
    {
      what: 'Which orders used a code, with a hash made of the address',
      rows: null,
      why: 'A code for one use stays used. Only this installation can make the hash, and only of an address that it is given.',
    },
    {
      what: 'Likes and votes as a visitor, and visit counts',
      rows: null,
      why: 'They are kept under a browser’s random number, which is not linked to any address.',
    },
    {
      what: 'Emails to others that name the person without the address',
      rows: null,
      why: 'Others may have the same name. Their text is deleted when they are sent, within four days.',
    },
    {
      what: 'Backups, and emails that were sent',
      rows: null,
      why: 'Backups are removed by their age (npm run backup -- --keep); after a restore erase the person again.',
    },
    {
      what: 'Payments at the card provider',
      rows: null,
      why: 'The card provider answers for its own records: ask it.',
    },
  ];
}
