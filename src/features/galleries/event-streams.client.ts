/**
 * The server-sent events of the galleries on this page. A browser has six connections to a host, and each stream uses
 * one: of many galleries on one page only those that were opened or received photos last have one. The others poll
 * while their photos are being processed, as after a missed event.
 */
import { GALLERY_EVENTS } from '#src/features/galleries/galleries.contract.ts';

const STREAMS_AT_ONCE = 2;

type OnData = (data: string) => void;
type Followed = { galleryId: number; onData: OnData; source: EventSource | null };

/** The most recent last. */
let followed: Followed[] = [];

/** Follows a gallery until the returned function is called; the browser reconnects automatically. */
export function followGallery(galleryId: number, onData: OnData): () => void {
  const mine: Followed = { galleryId, onData, source: null };
  followed.push(mine);
  connectLast();
  return () => {
    followed = followed.filter((each) => each !== mine);
    disconnect(mine);
    connectLast();
  };
}

/** Makes a gallery the most recent one, because something happens in it. */
export function moveToLast(galleryId: number): void {
  if (followed.length <= STREAMS_AT_ONCE) return;
  const isMeant = (each: Followed) => each.galleryId === galleryId;
  if (followed.slice(-STREAMS_AT_ONCE).some(isMeant)) return;
  followed = [...followed.filter((each) => !isMeant(each)), ...followed.filter(isMeant)];
  connectLast();
}

function connectLast(): void {
  for (const each of followed.slice(0, -STREAMS_AT_ONCE)) disconnect(each);
  for (const each of followed.slice(-STREAMS_AT_ONCE)) connect(each);
}

function connect(each: Followed): void {
  if (each.source) return;
  const source = new EventSource(`/api/v1/galleries/${each.galleryId}/events`);
  for (const name of GALLERY_EVENTS)
    source.addEventListener(name, (event: MessageEvent<string>) => each.onData(event.data));
  each.source = source;
}

function disconnect(each: Followed): void {
  each.source?.close();
  each.source = null;
}
