import type { Screen } from "./screen.ts";

/** Everything that can be wrong with an address; the "а" of its "midmаn" is Cyrillic. */
const doubtful = "http://midman.mn@qpay.midmаn.example:8080/login?next=/chat";

/** Addresses that lead nowhere, or away from Midman. */
export const leavingScreens: Screen[] = [
  { name: "not-found", route: "*", at: "/nowhere", status: 404 },
  { name: "away", route: "away", at: `/away?to=${encodeURIComponent("https://steamcommunity.com/id/bold")}` },
  { name: "away-doubtful", route: "away", at: `/away?to=${encodeURIComponent(doubtful)}` },
  { name: "away-nowhere", route: "away", at: "/away", status: 400 },
];
