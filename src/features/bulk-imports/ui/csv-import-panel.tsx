/** An uploader from the file to the end of its import. */
import type { BulkAnswer, ImportKind } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { UPLOADING } from '#src/features/bulk-imports/bulk-imports.contract.ts';
import { FoundDialog } from '#src/features/bulk-imports/ui/csv-dialogs.tsx';
import { CsvZone } from '#src/features/bulk-imports/ui/csv-zone.tsx';
import { EndedImport, RunningImport } from '#src/features/bulk-imports/ui/import-status.tsx';
import { useCsvImport } from '#src/features/bulk-imports/ui/use-csv-import.ts';
import { ErrorList } from '#src/ui/error-list.tsx';

type CsvImportPanelProps = {
  kind: ImportKind;
  recent: readonly BulkAnswer[];
  /** Why nothing can be uploaded yet; null when it can. */
  waitsFor?: string | null;
  onChanged: () => void;
};

export function CsvImportPanel({ kind, recent, waitsFor = null, onChanged }: CsvImportPanelProps) {
  const running = recent.find(({ status }) => status === 'running') ?? null;
  const { stage, choose, start, close } = useCsvImport({ kind, running, onChanged });
  if (stage.at === 'running') return <RunningImport answer={stage.answer} note={stage.note} />;
  if (stage.at === 'over') return <EndedImport answer={stage.answer} onAgain={close} />;
  return (
    <div className="flex flex-col gap-4">
      <ErrorList messages={stage.at === 'idle' ? stage.problems : []} heading="This file was not imported:" />
      <CsvZone busy={stage.at === 'uploading' ? UPLOADING : waitsFor} onChosen={(files) => void choose(files)} />
      {stage.at === 'checked' && (
        <FoundDialog answer={stage.answer} isStarting={stage.isStarting} onStart={() => void start()} onClose={close} />
      )}
    </div>
  );
}
