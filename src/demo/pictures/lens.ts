/** What glass does: depth of field, smear of what moves, light spilling around highlights. */
import type { Camera } from './camera.ts';
import { touch } from './frame.ts';
import type { Layer, View } from './frame.ts';

/** Even blur over a disc of `radius` pixels, the way an open aperture blurs; `channels` values (3 or 4) a pixel. Large discs are taken on a smaller copy. */
export function discBlur(
  from: Float32Array<ArrayBuffer>,
  width: number,
  height: number,
  channels: 3 | 4,
  radius: number,
): Float32Array<ArrayBuffer> {
  if (radius < 0.4) return from;
  const shrink = Math.max(1, Math.floor(radius / 1.7));
  const small = shrink > 1 ? shrunk(from, width, height, channels, shrink) : { data: from, width, height };
  const r = radius / shrink;
  const taps = discTaps(r);
  const result = new Float32Array(small.data.length);
  const { data } = small;
  for (let y = 0; y < small.height; y++) {
    for (let x = 0; x < small.width; x++) {
      const o = (y * small.width + x) * channels;
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let tap = 0; tap < taps.length; tap += 3) {
        const sx = Math.min(small.width - 1, Math.max(0, x + taps[tap]!));
        const sy = Math.min(small.height - 1, Math.max(0, y + taps[tap + 1]!));
        const weight = taps[tap + 2]!;
        const s = (sy * small.width + sx) * channels;
        a += data[s]! * weight;
        b += data[s + 1]! * weight;
        c += data[s + 2]! * weight;
        if (channels === 4) d += data[s + 3]! * weight;
      }
      result[o] = a;
      result[o + 1] = b;
      result[o + 2] = c;
      if (channels === 4) result[o + 3] = d;
    }
  }
  return shrink > 1 ? grown(result, small.width, small.height, channels, shrink, width, height) : result;
}

/** Offsets and weights, three numbers a tap. */
function discTaps(r: number): Float64Array {
  const taps: number[] = [];
  let sum = 0;
  const reach = Math.ceil(r);
  for (let y = -reach; y <= reach; y++) {
    for (let x = -reach; x <= reach; x++) {
      const weight = Math.max(0, Math.min(1, r + 0.5 - Math.hypot(x, y)));
      if (weight > 0) taps.push(x, y, weight);
      sum += weight;
    }
  }
  return Float64Array.from(taps, (value, i) => (i % 3 === 2 ? value / sum : value));
}

type Small = {
  readonly data: Float32Array<ArrayBuffer>;
  readonly width: number;
  readonly height: number;
};

function shrunk(from: Float32Array<ArrayBuffer>, width: number, height: number, channels: number, k: number): Small {
  const w = Math.ceil(width / k);
  const h = Math.ceil(height / k);
  const data = new Float32Array(w * h * channels);
  for (let y = 0; y < h; y++) {
    const rows = Math.min(k, height - y * k);
    for (let x = 0; x < w; x++) {
      const columns = Math.min(k, width - x * k);
      const o = (y * w + x) * channels;
      const share = 1 / (rows * columns);
      for (let j = 0; j < rows; j++) {
        for (let i = 0; i < columns; i++) {
          const s = ((y * k + j) * width + x * k + i) * channels;
          for (let c = 0; c < channels; c++) data[o + c] = data[o + c]! + from[s + c]! * share;
        }
      }
    }
  }
  return { data, width: w, height: h };
}

function grown(
  from: Float32Array<ArrayBuffer>,
  w: number,
  h: number,
  channels: number,
  k: number,
  width: number,
  height: number,
): Float32Array<ArrayBuffer> {
  const data = new Float32Array(width * height * channels);
  for (let y = 0; y < height; y++) {
    const fy = Math.max(0, Math.min(h - 1, (y + 0.5) / k - 0.5));
    const y0 = Math.floor(fy);
    const y1 = Math.min(h - 1, y0 + 1);
    const b = fy - y0;
    for (let x = 0; x < width; x++) {
      const fx = Math.max(0, Math.min(w - 1, (x + 0.5) / k - 0.5));
      const x0 = Math.floor(fx);
      const x1 = Math.min(w - 1, x0 + 1);
      const a = fx - x0;
      const o = (y * width + x) * channels;
      const p = (y0 * w + x0) * channels;
      const q = (y0 * w + x1) * channels;
      const r = (y1 * w + x0) * channels;
      const s = (y1 * w + x1) * channels;
      for (let c = 0; c < channels; c++) {
        const top = from[p + c]! + (from[q + c]! - from[p + c]!) * a;
        data[o + c] = top + (from[r + c]! + (from[s + c]! - from[r + c]!) * a - top) * b;
      }
    }
  }
  return data;
}

/** Blurs the view by the distance of each pixel: a few blurred copies, mixed pixel by pixel. */
export function focusView(view: View, camera: Camera): void {
  const { width, height } = view;
  const blur = new Float32Array(width * height);
  let most = 0;
  for (let i = 0; i < blur.length; i++) {
    const b = camera.blurAt(view.depth[i]!) / 2;
    blur[i] = b;
    if (b > most) most = b;
  }
  if (most < 0.6) return;
  const levels: number[] = [0];
  for (let r = 1.2; r < most * 1.8; r *= 1.9) levels.push(Math.min(r, most));
  const source = view.rgb.slice();
  let below = source;
  for (let level = 1; level < levels.length; level++) {
    const low = levels[level - 1]!;
    const high = levels[level]!;
    if (high <= low) break;
    const above = discBlur(source, width, height, 3, high);
    for (let i = 0; i < blur.length; i++) {
      const b = blur[i]!;
      if (b < low || (b > high && level < levels.length - 1)) continue;
      const k = Math.min(1, (b - low) / (high - low));
      for (let c = 0; c < 3; c++) {
        const o = i * 3 + c;
        view.rgb[o] = below[o]! + (above[o]! - below[o]!) * k;
      }
    }
    below = above;
  }
}

/** Cuts out the touched part, blurs it and puts it back, so that a small layer costs little. */
export function blurLayer(layer: Layer, radius: number): void {
  if (radius < 0.4) return;
  const reach = Math.ceil(radius) + 2;
  const t = layer.touched;
  if (t.right <= t.left) return;
  touch(layer, t.left - reach, t.top - reach, t.right + reach, t.bottom + reach);
  const width = t.right - t.left;
  const height = t.bottom - t.top;
  const piece = new Float32Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    const start = ((t.top + y) * layer.width + t.left) * 4;
    piece.set(layer.rgba.subarray(start, start + width * 4), y * width * 4);
  }
  const soft = discBlur(piece, width, height, 4, radius);
  for (let y = 0; y < height; y++)
    layer.rgba.set(soft.subarray(y * width * 4, (y + 1) * width * 4), ((t.top + y) * layer.width + t.left) * 4);
}

/** Smears the layer along (dx, dy) pixels, the way a ball moves while the shutter is open. */
export function smearLayer(layer: Layer, dx: number, dy: number): void {
  const steps = Math.ceil(Math.hypot(dx, dy));
  if (steps < 2) return;
  const t = layer.touched;
  touch(
    layer,
    t.left - Math.abs(dx) - 2,
    t.top - Math.abs(dy) - 2,
    t.right + Math.abs(dx) + 2,
    t.bottom + Math.abs(dy) + 2,
  );
  const source = layer.rgba.slice();
  for (let y = t.top; y < t.bottom; y++) {
    for (let x = t.left; x < t.right; x++) {
      const o = (y * layer.width + x) * 4;
      let r = 0;
      let g = 0;
      let b = 0;
      let a = 0;
      for (let k = 0; k < steps; k++) {
        const f = k / (steps - 1) - 0.5;
        const sx = Math.round(x + dx * f);
        const sy = Math.round(y + dy * f);
        if (sx < 0 || sy < 0 || sx >= layer.width || sy >= layer.height) continue;
        const s = (sy * layer.width + sx) * 4;
        r += source[s]!;
        g += source[s + 1]!;
        b += source[s + 2]!;
        a += source[s + 3]!;
      }
      layer.rgba[o] = r / steps;
      layer.rgba[o + 1] = g / steps;
      layer.rgba[o + 2] = b / steps;
      layer.rgba[o + 3] = a / steps;
    }
  }
}

/** Lays a layer over the view. */
export function composite(view: View, layer: Layer): void {
  const t = layer.touched;
  for (let y = t.top; y < t.bottom; y++) {
    for (let x = t.left; x < t.right; x++) {
      const i = y * layer.width + x;
      const rest = 1 - layer.rgba[i * 4 + 3]!;
      if (rest === 1) continue;
      for (let c = 0; c < 3; c++) view.rgb[i * 3 + c] = view.rgb[i * 3 + c]! * rest + layer.rgba[i * 4 + c]!;
    }
  }
}
