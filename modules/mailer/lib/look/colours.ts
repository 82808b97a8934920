/** A colour as `#rrggbb`. */
export type Colour = string;

type Parts = readonly [red: number, green: number, blue: number];

/** How well two colours are told apart (WCAG 2.2): from 1 to 21; text needs 4.5. */
export function contrast(one: Colour, other: Colour): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** True where dark letters stand out better than white ones. */
export function isLight(colour: Colour): boolean {
  return luminance(colour) > 0.18;
}

/** `share` (0 to 1) of the second colour in the first. */
export function mixed(one: Colour, other: Colour, share: number): Colour {
  const [a, b] = [parts(one), parts(other)];
  const channel = (index: 0 | 1 | 2) => Math.round(a[index] * (1 - share) + b[index] * share);
  return `#${[channel(0), channel(1), channel(2)].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** White or nearly black: whichever is read better on the ground. */
export function letterOn(ground: Colour): Colour {
  return isLight(ground) ? "#111827" : "#ffffff";
}

/** The colour itself where it can be read on the ground, else moved towards white or black until it can. */
export function readable(colour: Colour, ground: Colour): Colour {
  const end = isLight(ground) ? "#000000" : "#ffffff";
  for (let share = 0; share < 1; share += 0.1) {
    const tried = mixed(colour, end, share);
    if (contrast(tried, ground) >= 4.5) return tried;
  }
  return end;
}

function parts(colour: Colour): Parts {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function luminance(colour: Colour): number {
  const [red, green, blue] = parts(colour);
  const linear = (value: number) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
