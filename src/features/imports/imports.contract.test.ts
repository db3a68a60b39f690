import { expect, test } from 'vitest';
import { DATASETS } from '#src/features/exports/export-datasets.sql.ts';
import { ROWS } from '#src/features/imports/imports.contract.ts';

/** Counted again by the import; the link for public contributions is not in a copy, so its switch stays off. */
const NOT_READ = ['photo_count', 'photos_sold', 'sales_cents', 'donations_cents', 'allow_public_contributions'];

test('an import reads every column of a gallery that an export writes', () => {
  const exported = Object.keys(DATASETS.find(({ name }) => name === 'galleries')?.columns ?? {});
  expect(exported.length).toBeGreaterThan(10);
  expect(exported.filter((column) => !Object.hasOwn(ROWS.galleries.shape, column)).toSorted()).toEqual(
    NOT_READ.toSorted(),
  );
});
