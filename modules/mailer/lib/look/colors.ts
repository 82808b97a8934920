/** A colour as `#rrggbb`. */
export type HexColor = string;

type ColorChannels = readonly [red: number, green: number, blue: number];

/** Contrast ratio of two colours (WCAG 2.2), from 1 to 21; text needs 4.5. */
export function measureContrast(one: HexColor, other: HexColor): number {
  const [lighter = 0, darker = 0] = [measureLuminance(one), measureLuminance(other)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** True if dark text has more contrast on the colour than white text. */
export function isLight(colour: HexColor): boolean {
  return measureLuminance(colour) > 0.18;
}

/** Mixes two colours; `share` (0 to 1) is the share of the second. */
export function mixColors(one: HexColor, other: HexColor, share: number): HexColor {
  const [a, b] = [splitChannels(one), splitChannels(other)];
  const channel = (index: 0 | 1 | 2) => Math.round(a[index] * (1 - share) + b[index] * share);
  return `#${[channel(0), channel(1), channel(2)].map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** White or nearly black, whichever is more readable on the background. */
export function textColorOn(ground: HexColor): HexColor {
  return isLight(ground) ? "#111827" : "#ffffff";
}

/** The colour itself if it is readable on the background; otherwise moved towards white or black until it is. */
export function ensureReadable(colour: HexColor, ground: HexColor): HexColor {
  const end = isLight(ground) ? "#000000" : "#ffffff";
  for (let share = 0; share < 1; share += 0.1) {
    const tried = mixColors(colour, end, share);
    if (measureContrast(tried, ground) >= 4.5) return tried;
  }
  return end;
}

function splitChannels(colour: HexColor): ColorChannels {
  const value = Number.parseInt(colour.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

function measureLuminance(colour: HexColor): number {
  const [red, green, blue] = splitChannels(colour);
  const linear = (value: number) =>
    value <= 10 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}
