/**
 * Data of a loader as JSON text. The router's own format for data costs many times as much as `JSON.stringify`, in time
 * and in garbage, for lists of objects (decision record 0124).
 */
import { useMemo } from 'react';

/** JSON of a value that JSON keeps as it is: no dates, and no `undefined` that means something. */
export type Packed<Value> = string & { readonly holds?: Value };

/** What a packed text holds. */
export type Unpacked<Text> = Text extends Packed<infer Value> ? Value : never;

export const packed = <Value>(value: Value): Packed<Value> => JSON.stringify(value);

/** In a screen: the value, the same object as long as the text is the same. */
export function useUnpacked<Value>(text: Packed<Value> | null): Value | null {
  return useMemo(() => (text === null ? null : (JSON.parse(text) as Value)), [text]);
}
