/** A browser and a system as people name them; null where the user agent says neither. */
export type DeviceName = { browser: string | null; system: string | null };

// The first that is found counts: most browsers also name those they descend from. In-app browsers come before the
// engine they embed, since that is what a person sees.
const browserPatterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/FBAN|FBAV|FB_IAB/, "Facebook"],
  [/Instagram/, "Instagram"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/MiuiBrowser\//, "Mi Browser"],
  [/UC ?Browser\//, "UC Browser"],
  [/YaBrowser\//, "Yandex"],
  [/OPR\/|OPiOS\/|Opera/, "Opera"],
  [/Edg(?:e|A|iOS)?\//, "Edge"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/CriOS\/|Chrome\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
];

const systemPatterns: ReadonlyArray<readonly [RegExp, string]> = [
  [/iPhone|iPod/, "iPhone"],
  [/iPad/, "iPad"],
  [/Android/, "Android"],
  [/HarmonyOS/, "HarmonyOS"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/Linux|X11/, "Linux"],
];

/** What a user agent says about browser and system, by its common marks; the words are names, the same in every language. */
export function deviceName(userAgent: string): DeviceName {
  const first = (marks: ReadonlyArray<readonly [RegExp, string]>) =>
    marks.find(([mark]) => mark.test(userAgent))?.[1] ?? null;
  return { browser: first(browserPatterns), system: first(systemPatterns) };
}
