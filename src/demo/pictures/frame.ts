/** Pictures in the making: linear light in floating point, either a whole view or a see-through layer of it. */
export type View = {
  readonly width: number;
  readonly height: number;
  readonly rgb: Float32Array<ArrayBuffer>;
  readonly depth: Float32Array<ArrayBuffer>;
};
/** Colours are multiplied by their coverage. */
export type Layer = {
  readonly width: number;
  readonly height: number;
  readonly rgba: Float32Array<ArrayBuffer>;
  readonly depth: Float32Array<ArrayBuffer>;
  readonly touched: Box;
};
/** Pixels that have anything in them; right and bottom are exclusive. */
export type Box = { left: number; top: number; right: number; bottom: number };

export const farAway = 1e6;

export function viewOf(width: number, height: number): View {
  return {
    width,
    height,
    rgb: new Float32Array(width * height * 3),
    depth: new Float32Array(width * height).fill(farAway),
  };
}

export function layerOf(width: number, height: number): Layer {
  return {
    width,
    height,
    rgba: new Float32Array(width * height * 4),
    depth: new Float32Array(width * height).fill(farAway),
    touched: { left: width, top: height, right: 0, bottom: 0 },
  };
}

export function touch(layer: Layer, left: number, top: number, right: number, bottom: number): void {
  const t = layer.touched;
  t.left = Math.max(0, Math.min(t.left, Math.floor(left)));
  t.top = Math.max(0, Math.min(t.top, Math.floor(top)));
  t.right = Math.min(layer.width, Math.max(t.right, Math.ceil(right)));
  t.bottom = Math.min(layer.height, Math.max(t.bottom, Math.ceil(bottom)));
}

/** Lays one colour over a pixel of a layer, unless something solid and nearer is there. */
export function layOver(layer: Layer, i: number, r: number, g: number, b: number, cover: number, depth: number): void {
  const o = i * 4;
  const { rgba } = layer;
  if (depth > layer.depth[i]! && rgba[o + 3]! > 0.99) return;
  const rest = 1 - cover;
  rgba[o] = rgba[o]! * rest + r * cover;
  rgba[o + 1] = rgba[o + 1]! * rest + g * cover;
  rgba[o + 2] = rgba[o + 2]! * rest + b * cover;
  rgba[o + 3] = rgba[o + 3]! * rest + cover;
  if (cover > 0.5) layer.depth[i] = depth;
}
