import { readColor } from '#src/features/settings/settings-colors.contract.ts';
import type { SettingsForm } from '#src/features/settings/settings-form.client.ts';
import { DEFAULT_ACCENT } from '#src/shared/color.ts';
import { Button } from '#src/ui/button.tsx';
import { TextField } from '#src/ui/text-field.tsx';

/** The one color that an organization chooses: picked, or written as hex or `rgb(…)`. */
export function ColorField({ form }: { form: SettingsForm }) {
  const { values } = form;
  const color = readColor(values.primary_color) ?? form.saved.primary_color;
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-end gap-3">
        <label className="flex flex-col gap-1.5 text-sm font-semibold">
          <span className="sr-only">Pick the primary color</span>
          <input
            type="color"
            value={color.toLowerCase()}
            onChange={(event) => form.set({ primary_color: event.target.value.toUpperCase() })}
            className="h-11 w-14 cursor-pointer rounded border border-line-strong bg-surface p-1"
          />
        </label>
        <div className="min-w-0 flex-1">
          <TextField
            label="Primary color"
            maxLength={30}
            autoComplete="off"
            spellCheck={false}
            {...form.field('primary_color')}
            onBlur={() => form.set({ primary_color: readColor(values.primary_color) ?? values.primary_color })}
          />
        </div>
      </div>
      {color !== DEFAULT_ACCENT && (
        <Button
          variant="quiet"
          size="small"
          className="-ml-3 self-start"
          onClick={() => form.set({ primary_color: DEFAULT_ACCENT })}
        >
          Back to {DEFAULT_ACCENT}
        </Button>
      )}
      <p className="text-xs text-quiet">The secondary color is always white.</p>
    </div>
  );
}
