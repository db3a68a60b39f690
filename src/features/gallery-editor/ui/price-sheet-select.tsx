import { useState } from 'react';
import type { SheetAnswer } from '#src/features/offers/offers.contract.ts';
import { Select } from '#src/ui/form/select.tsx';
import { api } from '#src/web/api-client.ts';
import { useLoad } from '#src/web/use-load.ts';

/** More are chosen on the page of the sheet. */
const OFFERED = 100;

type PriceSheetSelectProps = {
  organizationId: number;
  value: number | null;
  errors?: readonly string[] | undefined;
  onChange: (id: number | null) => void;
};

/** The price sheet of a gallery. The sheets are loaded when the settings are opened. */
export function PriceSheetSelect({ organizationId, value, errors, onChange }: PriceSheetSelectProps) {
  const [sheets, setSheets] = useState<readonly Pick<SheetAnswer, 'id' | 'name'>[] | null>(null);

  useLoad(
    organizationId,
    (signal) =>
      api('GET /api/v1/affiliates/{id}/price_sheets', {
        params: { id: organizationId },
        query: { limit: OFFERED },
        signal,
      }),
    (answer) => answer.ok && setSheets(answer.data.price_sheets.filter(({ archived }) => !archived)),
  );

  const isListed = value === null || sheets?.some(({ id }) => id === value) === true;
  return (
    <Select
      label="Price sheet"
      name="price_sheet_id"
      hint={
        sheets?.length === 0
          ? 'Bundles and passes for buyers of several photos. Create them under Prices.'
          : 'Bundles and passes for buyers of several photos.'
      }
      errors={errors}
      value={String(value ?? '')}
      onChange={({ target }) => onChange(target.value === '' ? null : Number(target.value))}
    >
      <option value="">None</option>
      {!isListed && <option value={String(value)}>As it is now</option>}
      {sheets?.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}
