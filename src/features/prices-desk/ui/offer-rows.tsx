import { closestCenter, DndContext, useDraggable, useDroppable, type DragEndEvent } from '@dnd-kit/core';
import { useId, useState, type ReactNode } from 'react';
import type { Offer } from '#src/features/offers/best-price.rules.ts';
import { MAX_OFFERS, MAX_STEPS } from '#src/features/offers/offers.contract.ts';
import { movedRow, newRow, type OfferRow, type StepRow } from '#src/features/prices-desk/price-sheet-form.rules.ts';
import type { FieldErrors } from '#src/shared/problem.ts';
import { Button } from '#src/ui/button.tsx';
import { cx } from '#src/ui/cx.ts';
import { MoneyField } from '#src/ui/form/money-field.tsx';
import { TextField } from '#src/ui/form/text-field.tsx';
import { IconButton } from '#src/ui/icon-button.tsx';
import { ChevronDown, ChevronUp, CircleAlert, GripVertical, Plus, Trash, X } from '#src/ui/icon.tsx';
import { OWN_ANNOUNCEMENTS, useDragSensors } from '#src/ui/dragging.ts';

const KIND_WORDS: Record<Offer['kind'], string> = {
  bundle: 'Bundle',
  steps: 'Falling price',
  gallery_pass: 'Gallery pass',
  athlete_pass: 'Athlete pass',
};
/** In the order of the buttons; all but bundles once in a sheet. */
const ADDED = ['bundle', 'steps', 'gallery_pass', 'athlete_pass'] as const;
const ADD_WORDS = {
  bundle: 'Add a bundle',
  steps: 'Add a falling price',
  gallery_pass: 'Add a gallery pass',
  athlete_pass: 'Add an athlete pass',
} as const;

/** Two fields side by side, or below each other if the text is large. */
const PAIR = 'grid grid-cols-[repeat(auto-fit,minmax(min(100%,5.5rem),1fr))] gap-3';

type OfferRowsProps = { rows: readonly OfferRow[]; errors: FieldErrors; onChange: (rows: readonly OfferRow[]) => void };

/** The offers of a price sheet as rows. Their order is their order on the gallery's page. */
export function OfferRows({ rows, errors, onChange }: OfferRowsProps) {
  const [message, announce] = useState('');
  const sensors = useDragSensors();
  const move = (row: OfferRow, to: number): void => {
    if (to < 0 || to >= rows.length) return;
    onChange(movedRow(rows, row.key, to));
    announce(`${KIND_WORDS[row.kind]} moved to position ${to + 1} of ${rows.length}.`);
  };
  function drop({ active, over }: DragEndEvent): void {
    const row = rows.find(({ key }) => key === active.id);
    const to = rows.findIndex(({ key }) => key === over?.id);
    if (row && to >= 0 && row.key !== over?.id) move(row, to);
  }
  const has = (kind: Offer['kind']) => rows.some((row) => row.kind === kind);
  return (
    <DndContext
      id={useId()}
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={OWN_ANNOUNCEMENTS}
      onDragEnd={drop}
    >
      <p role="status" className="sr-only">
        {message}
      </p>
      <ol aria-label="Offers" className="flex flex-col gap-3">
        {rows.map((row, at) => (
          <Row
            key={row.key}
            row={row}
            place={at}
            count={rows.length}
            problems={(errors[`offers.${at}`] ?? []).concat(
              errors[`offers.${at}.kind`] ?? [],
              errors[`offers.${at}.steps`] ?? [],
            )}
            onMove={(to) => move(row, to)}
            onRemove={() => onChange(rows.filter(({ key }) => key !== row.key))}
          >
            <Fields
              row={row}
              at={at}
              errors={errors}
              onChange={(part) => onChange(rows.map((each) => (each.key === row.key ? { ...each, ...part } : each)))}
            />
          </Row>
        ))}
      </ol>
      <Problems messages={errors['offers']} />
      <div className="flex flex-wrap gap-2">
        {ADDED.map((kind) => (
          <Button
            key={kind}
            variant="secondary"
            size="small"
            disabled={rows.length >= MAX_OFFERS || (kind !== 'bundle' && has(kind))}
            onClick={() => onChange([...rows, newRow(kind, rows)])}
          >
            <Plus aria-hidden="true" />
            {ADD_WORDS[kind]}
          </Button>
        ))}
      </div>
    </DndContext>
  );
}

type RowProps = {
  row: OfferRow;
  place: number;
  count: number;
  problems: readonly string[];
  onMove: (to: number) => void;
  onRemove: () => void;
  children: ReactNode;
};

function Row({ row, place, count, problems, onMove, onRemove, children }: RowProps) {
  const drag = useDraggable({ id: row.key });
  const drop = useDroppable({ id: row.key });
  const name = `${KIND_WORDS[row.kind]}, place ${place + 1}`;
  const { transform } = drag;
  return (
    <li
      ref={(element) => {
        drag.setNodeRef(element);
        drop.setNodeRef(element);
      }}
      style={transform ? { transform: `translate(${transform.x}px, ${transform.y}px)` } : undefined}
      className={cx(
        'flex flex-col gap-3 rounded-lg border border-line bg-surface p-3 sm:p-4',
        drag.isDragging && 'relative z-10 shadow-xl',
        drop.isOver && !drag.isDragging && 'border-accent-text',
      )}
    >
      <div className="flex flex-wrap items-center gap-x-1">
        {/* For pointers; the two buttons beside it are for keyboards. */}
        <span
          {...drag.listeners}
          aria-hidden="true"
          className="grid size-11 shrink-0 cursor-grab touch-manipulation place-items-center rounded text-quiet select-none hover:bg-sunken [&_svg]:size-5"
        >
          <GripVertical />
        </span>
        <h3 className="min-w-0 flex-1 basis-[3.5rem] text-sm">{KIND_WORDS[row.kind]}</h3>
        <div className="ml-auto flex gap-x-1">
          <IconButton label={`Move up: ${name}`} disabled={place === 0} onClick={() => onMove(place - 1)}>
            <ChevronUp aria-hidden="true" />
          </IconButton>
          <IconButton label={`Move down: ${name}`} disabled={place === count - 1} onClick={() => onMove(place + 1)}>
            <ChevronDown aria-hidden="true" />
          </IconButton>
          <IconButton label={`Remove: ${name}`} onClick={onRemove}>
            <Trash aria-hidden="true" />
          </IconButton>
        </div>
      </div>
      {children}
      <Problems messages={problems} />
    </li>
  );
}

type FieldsProps = { row: OfferRow; at: number; errors: FieldErrors; onChange: (part: Partial<OfferRow>) => void };

function Fields({ row, at, errors, onChange }: FieldsProps) {
  const path = `offers.${at}`;
  if (row.kind === 'steps')
    return <Steps steps={row.steps} path={`${path}.steps`} errors={errors} onChange={(steps) => onChange({ steps })} />;
  const price = (
    <MoneyField
      label={row.kind === 'bundle' ? 'For' : 'Price'}
      required
      hint={
        row.kind === 'athlete_pass'
          ? 'All photos of one child or number. It is sold where photos are tagged.'
          : undefined
      }
      value={row.price}
      errors={errors[`${path}.price`]}
      onChange={({ target }) => onChange({ price: target.value })}
    />
  );
  if (row.kind !== 'bundle') return price;
  return (
    <div className={PAIR}>
      <TextField
        label="Photos"
        required
        inputMode="numeric"
        autoComplete="off"
        value={row.photos}
        errors={errors[`${path}.photos`]}
        onChange={({ target }) => onChange({ photos: target.value })}
      />
      {price}
    </div>
  );
}

type StepsProps = {
  steps: readonly StepRow[];
  path: string;
  errors: FieldErrors;
  onChange: (steps: readonly StepRow[]) => void;
};

function Steps({ steps, path, errors, onChange }: StepsProps) {
  const set = (at: number, part: Partial<StepRow>) =>
    onChange(steps.map((step, place) => (place === at ? { ...step, ...part } : step)));
  return (
    <div className="flex flex-col gap-3">
      {steps.map((step, at) => (
        // A step's only identity is its position. oxlint-disable-next-line react/no-array-index-key
        <div key={at} className="flex items-start gap-3">
          <div className={cx(PAIR, 'min-w-0 flex-1')}>
            <TextField
              label="From photo"
              required
              inputMode="numeric"
              autoComplete="off"
              value={step.from}
              errors={errors[`${path}.${at}.from`]}
              onChange={({ target }) => set(at, { from: target.value })}
            />
            <MoneyField
              label="Each"
              required
              value={step.price}
              errors={errors[`${path}.${at}.price`]}
              onChange={({ target }) => set(at, { price: target.value })}
            />
          </div>
          <IconButton
            label={`Remove step ${at + 1}`}
            className="mt-6"
            disabled={steps.length === 1}
            onClick={() => onChange(steps.filter((_step, place) => place !== at))}
          >
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {steps.length < MAX_STEPS && (
        <Button
          variant="quiet"
          size="small"
          className="self-start"
          onClick={() => onChange([...steps, { from: '', price: '' }])}
        >
          <Plus aria-hidden="true" />
          Add a step
        </Button>
      )}
    </div>
  );
}

function Problems({ messages = [] }: { messages?: readonly string[] | undefined }) {
  if (messages.length === 0) return null;
  return (
    <p className="flex gap-1.5 text-xs font-semibold text-danger">
      <CircleAlert aria-hidden="true" className="mt-px size-4 shrink-0" />
      {messages.join(' ')}
    </p>
  );
}
