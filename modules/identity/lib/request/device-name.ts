/** Short names of a browser and a system; null if the user agent names none. */
export type DeviceName = { browser: string | null; system: string | null };

// The first match counts: most browsers also name their ancestors. In-app browsers come before the engine they embed, since people see the
// app.
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

/** The browser and system that a user agent names; the names are the same in every language. */
export function deviceName(userAgent: string): DeviceName {
  const first = (marks: ReadonlyArray<readonly [RegExp, string]>) =>
    marks.find(([mark]) => mark.test(userAgent))?.[1] ?? null;
  return { browser: first(browserPatterns), system: first(systemPatterns) };
}
