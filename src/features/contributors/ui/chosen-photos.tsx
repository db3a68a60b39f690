import { IconButton } from '#src/ui/icon-button.tsx';
import { X } from '#src/ui/icon.tsx';

/** Rows that are drawn; the others are counted. Hundreds of photos are chosen at once. */
const SHOWN = 50;

/** The chosen photos by name; pictures of 300 files would not fit into a phone's memory. */
export function ChosenPhotos({ files, onRemove }: { files: readonly File[]; onRemove: (file: File) => void }) {
  const bytes = files.reduce((sum, file) => sum + file.size, 0);
  const count = files.length === 1 ? '1 photo' : `${files.length.toLocaleString('en-US')} photos`;
  return (
    <>
      <p role="status" className={files.length === 0 ? 'sr-only' : 'text-sm font-semibold tabular-nums'}>
        {files.length > 0 && `${count} chosen, ${sizeOf(bytes)}`}
      </p>
      {files.length > 0 && (
        <ul aria-label="Chosen photos" className="divide-y divide-line rounded border border-line">
          {files.slice(0, SHOWN).map((file, index) => (
            <li key={`${index} ${file.name}`} className="flex min-h-11 items-center gap-3 pl-4 text-sm">
              <span className="min-w-0 flex-1 truncate">{file.name}</span>
              <span className="shrink-0 text-xs text-quiet tabular-nums">{sizeOf(file.size)}</span>
              <IconButton label={`Take out ${file.name}`} onClick={() => onRemove(file)}>
                <X aria-hidden="true" />
              </IconButton>
            </li>
          ))}
          {files.length > SHOWN && (
            <li className="px-4 py-3 text-sm text-quiet">and {(files.length - SHOWN).toLocaleString('en-US')} more</li>
          )}
        </ul>
      )}
    </>
  );
}

function sizeOf(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1_000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
