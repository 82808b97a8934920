/**
 * The oldest browsers in which every page and script of Midman works whole. The build lowers syntax to them, and
 * `tests/e2e/browser-floor.spec.ts` finds newer calls and styles in what it built, and `tests/e2e/other-engines.spec.ts` walks in Firefox and
 * in Safari's engine. Below them a page is plain and readable, without scripts. Samsung Internet 18 is Chromium 99.
 */
const browserFloor = {
  chrome: "99",
  samsung: "18",
  safari: "15.4",
  ios_saf: "15.4",
  firefox: "115",
} as const;

/** The floor as build tools name it, for scripts and for stylesheets. */
export const floorTargets: string[] = [
  `chrome${browserFloor.chrome}`,
  `safari${browserFloor.safari}`,
  `ios${browserFloor.ios_saf}`,
  `firefox${browserFloor.firefox}`,
];
