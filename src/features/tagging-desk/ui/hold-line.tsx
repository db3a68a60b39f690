/** At the desk: which photos wait for somebody to look, as it changes with the tags. */
import { useHold } from '#src/features/consent/hold.client.ts';
import { NoneButton } from '#src/features/consent/ui/hold-banner.tsx';

type HoldLineProps = {
  galleryId: number;
  /** Of the tags, how many are not saved yet: with the last one the line is asked for again. */
  waiting: number;
};

export function HoldLine({ galleryId, waiting }: HoldLineProps) {
  const { hold, ask } = useHold(galleryId, waiting === 0);
  return (
    <div role="status">
      {hold?.text && (
        <div className="flex flex-wrap items-center gap-x-4 gap-y-2 rounded bg-warning-tint px-3 py-2 text-sm text-warning">
          <p className="min-w-0 flex-1 basis-64 text-pretty">{hold.text}</p>
          <NoneButton galleryId={galleryId} hold={hold} onReleased={ask} />
        </div>
      )}
    </div>
  );
}
