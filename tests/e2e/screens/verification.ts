import type { World } from "../world.ts";
import type { Screen } from "./screen.ts";

const verified =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/verify/${rooms[state].code}`;

/** The check of a transaction's code, and the report form. */
export const verificationScreens: Screen[] = [
  { name: "verify", route: "verify", at: "/verify", light: true },
  { name: "verify-held", route: "verify/:code", at: verified("held"), light: true },
  { name: "verify-waiting", route: "verify/:code", at: verified("waiting") },
  { name: "verify-cancelled", route: "verify/:code", at: verified("cancelled") },
  { name: "verify-own", route: "verify/:code", at: verified("disputed"), as: "buyer" },
  {
    name: "report-code",
    route: "report",
    at: ({ rooms }) => `/report?code=${rooms.held.code}`,
    light: true,
  },
  {
    name: "report-person",
    route: "report",
    at: ({ rooms, ids }) => `/report?room=${rooms.held.id}&person=${ids.seller}`,
    as: "buyer",
  },
  { name: "report-nothing", route: "report", at: "/report?code=MM-00000000", status: 404 },
  { name: "verify-unknown", route: "verify/:code", at: "/verify/MM-00000000", status: 404 },
];
