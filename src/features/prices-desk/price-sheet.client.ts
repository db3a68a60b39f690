/** The state of a price sheet's form: its values, the saved sheet, and changes that someone else saved meanwhile. */
import { useState } from 'react';
import type { SavedSheet, SeenSheet, SheetAnswer } from '#src/features/offers/offers.contract.ts';
import {
  bodyOf,
  EMPTY_SHEET,
  problemsOf,
  valuesOf,
  type SheetStart,
  type SheetValues,
} from '#src/features/prices-desk/price-sheet-form.rules.ts';
import { api, unchecked } from '#src/web/api-client.ts';
import { useSavedForm } from '#src/web/use-saved-form.ts';

export type PriceSheetForm = ReturnType<typeof usePriceSheet>;

const REVERT_MS = 1_000;

const seenOf = (sheet: SheetAnswer): SeenSheet => ({
  name: sheet.name,
  offers: sheet.offers,
  own_prices_take_part: sheet.own_prices_take_part,
  early_bird: sheet.early_bird,
  shared_with_children: sheet.shared_with_children,
});

type Place = { organizationId: number; sheet: SheetAnswer | null };

export function usePriceSheet(start: SheetStart, { organizationId, sheet }: Place) {
  const [seen, setSeen] = useState(sheet);
  const [typed] = useState(() => valuesOf(start));
  const [saved] = useState(() => (sheet ? typed : valuesOf(EMPTY_SHEET)));
  const form = useSavedForm(saved, { check: problemsOf, typed, revertMs: REVERT_MS });

  /** Returns the saved sheet, or null with `errors`. */
  async function save(): Promise<SavedSheet | null> {
    const result = await form.save<{ kept: SheetValues; sheet: SavedSheet }>(async () => {
      const price_sheet = bodyOf(form.values);
      const answer = await (seen
        ? api('PUT /api/v1/price_sheets/{id}', {
            params: { id: seen.id },
            body: unchecked({ price_sheet, seen: seenOf(seen) }),
          })
        : api('POST /api/v1/affiliates/{id}/price_sheets', {
            params: { id: organizationId },
            body: unchecked({ price_sheet }),
          }));
      if (answer.ok) {
        setSeen(answer.data);
        return { kept: valuesOf(answer.data), sheet: answer.data };
      }
      // Someone else changed it meanwhile: saving again overwrites that knowingly.
      const current = answer.body['price_sheet'] as SheetAnswer | undefined;
      if (current) setSeen(current);
      return { errors: Object.keys(answer.errors).length > 0 ? answer.errors : { form: [answer.error] } };
    });
    return 'sheet' in result ? result.sheet : null;
  }

  return { ...form, save };
}
