/** Black or white, whichever has the higher contrast upon the color (`#RRGGBB`); one of them always has 4.5 : 1. */
export function readableOn(color: string): '#000000' | '#FFFFFF' {
  const light = luminanceOf(color);
  return 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#FFFFFF' : '#000000';
}

/** WCAG's relative luminance, 0 to 1. */
export function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
