/** Many galleries on one page share the few connections that a browser has. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followGallery, moveToLast } from '#src/features/galleries/event-streams.client.ts';

type Listener = (event: { data: string }) => void;
let open: FakeSource[] = [];

class FakeSource {
  readonly listeners = new Map<string, Listener>();
  readonly url: string;
  constructor(url: string) {
    this.url = url;
    open.push(this);
  }
  addEventListener(name: string, listener: Listener): void {
    this.listeners.set(name, listener);
  }
  close(): void {
    open = open.filter((each) => each !== this);
  }
}

const galleries = () => open.map(({ url }) => Number(/galleries\/(\d+)\//.exec(url)?.[1]));
let ends: (() => void)[] = [];
const follow = (id: number, heard = (_data: string): void => undefined) => ends.push(followGallery(id, heard));

beforeEach(() => vi.stubGlobal('EventSource', FakeSource));
afterEach(() => {
  for (const end of ends) end();
  ends = [];
  vi.unstubAllGlobals();
});

test('one gallery is followed and its events arrive', () => {
  const heard: string[] = [];
  follow(1, (data) => heard.push(data));
  expect(galleries()).toEqual([1]);
  open[0]?.listeners.get('photo.ready')?.({ data: '{"photo_id":7}' });
  expect(heard).toEqual(['{"photo_id":7}']);
});

test('of many galleries, only the two that were opened last are followed', () => {
  for (const id of [1, 2, 3, 4, 5]) follow(id);
  expect(galleries()).toEqual([4, 5]);
});

test('a gallery that receives photos replaces the one that was quiet longest', () => {
  for (const id of [1, 2, 3]) follow(id);
  moveToLast(1);
  expect(galleries().toSorted()).toEqual([1, 3]);
  moveToLast(3);
  expect(galleries().toSorted()).toEqual([1, 3]);
  moveToLast(2);
  expect(galleries().toSorted()).toEqual([1, 2]);
});

test('when one is closed another is followed again', () => {
  for (const id of [1, 2, 3]) follow(id);
  ends.pop()?.();
  expect(galleries().toSorted()).toEqual([1, 2]);
});

test('when all are closed no stream is left open', () => {
  for (const id of [1, 2, 3]) follow(id);
  for (const end of ends.splice(0)) end();
  expect(open).toEqual([]);
});
