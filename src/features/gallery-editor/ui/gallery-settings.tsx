import type { ComponentProps, FormEvent, ReactNode } from 'react';
import { MAX_GALLERY_PASSWORD_CHARACTERS } from '#src/features/galleries/galleries.contract.ts';
import {
  SAVE_GALLERY,
  SAVE_NEW_GALLERY,
  UPDATED,
  UPDATE_FAILED,
  UPDATING,
} from '#src/features/gallery-editor/gallery-editor.contract.ts';
import type { GalleryForm } from '#src/features/gallery-editor/gallery-form.client.ts';
import { PriceSheetSelect } from '#src/features/gallery-editor/ui/price-sheet-select.tsx';
import { messagesInOrder, type GalleryValues } from '#src/features/gallery-editor/gallery-form.rules.ts';
import { ErrorList } from '#src/ui/form/error-list.tsx';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { StickySaveBar } from '#src/ui/leave-guard.tsx';
import { Switch } from '#src/ui/form/switch.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import type { SaveStage } from '#src/web/use-saved-form.ts';

type GallerySettingsProps = {
  form: GalleryForm;
  isNew: boolean;
  onSubmit: () => void;
  /** Its name among several on one page, which share one save bar and one list of problems. */
  among?: string;
};

type TextName = {
  [Field in keyof GalleryValues]: GalleryValues[Field] extends string ? Field : never;
}[keyof GalleryValues];
type SwitchName = {
  [Field in keyof GalleryValues]: GalleryValues[Field] extends boolean ? Field : never;
}[keyof GalleryValues];

/** All settings of a gallery, in sections; a save bar appears on the first change. */
export function GallerySettings({ form, isNew, onSubmit, among }: GallerySettingsProps) {
  const { values, errors } = form;
  const text = (name: TextName) => ({
    ...form.field(name),
    onChange: (event: { target: { value: string } }) => form.set(name, event.target.value),
  });
  const onOff = (name: SwitchName) => ({
    name,
    checked: values[name],
    onChange: (event: { target: { checked: boolean } }) => form.set(name, event.target.checked),
  });

  function submit(event: FormEvent): void {
    event.preventDefault();
    onSubmit();
  }

  return (
    <form
      method="dialog"
      noValidate
      aria-label={among === undefined ? 'Gallery settings' : `Settings form of ${among}`}
      onSubmit={submit}
      className="flex flex-col gap-6"
    >
      {among === undefined && <ErrorList messages={messagesInOrder(errors)} attempt={form.attempt} />}
      <Section title="Gallery">
        <TextField label="Name" required maxLength={200} placeholder="Spring Cup Final" {...text('name')} />
        <MoneyField label="Price per photo" required hint="At $0 the photos are free." {...text('price_per_photo')} />
        {among === undefined && (
          <PriceSheetSelect
            organizationId={form.organizationId}
            value={values.price_sheet_id}
            errors={errors['price_sheet_id']}
            onChange={(id) => form.set('price_sheet_id', id)}
          />
        )}
        <TextField label="Photos by" required maxLength={200} {...text('photos_by')} />
        <Switch label="Watermark" hint="On all photos that have not been bought." {...onOff('display_watermark')} />
      </Section>
      <Section title="Who can see it">
        <Switch label="Private" hint="Not listed anywhere. Anyone with the link can see it." {...onOff('is_private')} />
        <Switch label="Password required" {...onOff('password_required')} />
        {values.password_required && (
          <TextField
            label="Password"
            required
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={MAX_GALLERY_PASSWORD_CHARACTERS}
            hint="Shown here so that you can share it with parents."
            {...text('password')}
          />
        )}
      </Section>
      <Section title="What visitors can do">
        <Switch
          label="Public contributions"
          hint="Visitors can send photos; you decide which are shown."
          {...onOff('allow_public_contributions')}
        />
        <Switch label="Voting" hint="One vote per visitor and photo." {...onOff('allow_voting')} />
      </Section>
      {!isNew && <Goal text={text} onOff={onOff} />}
      {among === undefined && <SaveBar form={form} isNew={isNew} />}
    </form>
  );
}

type GoalProps = {
  text: (name: TextName) => Omit<ComponentProps<typeof TextField>, 'label'>;
  onOff: (name: SwitchName) => Omit<ComponentProps<typeof Switch>, 'label'>;
};

/** Only for existing galleries. */
function Goal({ text, onOff }: GoalProps) {
  return (
    <Section title="Fundraising goal">
      <Switch label="Show the goal" hint="Shows the amount raised on the gallery’s page." {...onOff('display_goal')} />
      <TextField
        label="Goal recipient"
        maxLength={500}
        placeholder="New goals for the field"
        {...text('goal_description')}
      />
      <MoneyField label="Target goal" hint="Leave blank for no goal." {...text('target_goal')} />
    </Section>
  );
}

function SaveBar({ form, isNew }: { form: GalleryForm; isNew: boolean }) {
  const { stage } = form;
  return (
    <StickySaveBar
      changed={form.isChanged || isNew || stage === 'saved' || stage === 'failed'}
      busy={stage === 'saving' ? UPDATING : false}
      saveLabel={labelOf(stage, isNew)}
      {...(isNew || !form.isChanged ? {} : { onDiscard: () => form.discard() })}
    >
      {remarkOf(stage, isNew, form.isChanged)}
    </StickySaveBar>
  );
}

function labelOf(stage: SaveStage, isNew: boolean): string {
  if (stage === 'saved') return UPDATED;
  if (stage === 'failed') return UPDATE_FAILED;
  return isNew ? SAVE_NEW_GALLERY : SAVE_GALLERY;
}

function remarkOf(stage: SaveStage, isNew: boolean, isChanged: boolean): string {
  if (stage === 'saved' && !isChanged) return 'Everything is saved.';
  return isNew ? 'Not saved yet.' : 'Unsaved changes.';
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex flex-col gap-4 border-t border-line pt-4 first-of-type:border-t-0 first-of-type:pt-0">
      <legend className="float-left w-full font-display text-base font-bold">{title}</legend>
      <div className="clear-both flex flex-col gap-4">{children}</div>
    </fieldset>
  );
}
