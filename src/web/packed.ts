/**
 * Data of a loader as JSON text. The router's own format for data costs many times as much as `JSON.stringify`, in time
 * and in garbage, for lists of objects (decision record 0124).
 */
import { useMemo } from 'react';

/** JSON of a value that JSON keeps as it is: no dates, and no `undefined` that means something. */
export type Packed<Value> = string & { readonly holds?: Value };

/** What was packed. */
export type Unpacked<Sent> = Sent extends Packed<infer Value> ? Value : NonNullable<Sent>;

/**
 * The text in a document. A navigation in the browser, whose `url` ends with `.data`, gets the value itself: its scripts
 * may be of an earlier release.
 */
export const packed = <Value>(url: URL, value: Value): Packed<Value> | Value =>
  url.pathname.endsWith('.data') ? value : JSON.stringify(value);

export const unpacked = <Sent>(sent: Sent): Unpacked<Sent> =>
  (typeof sent === 'string' ? JSON.parse(sent) : sent) as Unpacked<Sent>;

/** In a screen: the value, the same object as long as the text is the same. */
export function useUnpacked<Sent>(sent: Sent): Unpacked<Sent> | null {
  return useMemo(() => unpacked(sent) ?? null, [sent]);
}
