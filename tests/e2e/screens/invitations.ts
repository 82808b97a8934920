import { invited } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** The page that an invitation leads to. */
export const invitationScreens: Screen[] = [
  { name: "invitation", route: "i/:code", at: invited("alone"), light: true },
  { name: "invitation-signed-in", route: "i/:code", at: invited("alone"), as: "newcomer" },
  { name: "invitation-own", route: "i/:code", at: invited("alone"), as: "seller" },
  { name: "invitation-full", route: "i/:code", at: invited("talk"), as: "newcomer", status: 409 },
  { name: "invitation-renewed", route: "i/:code", at: "/i/AAAAAAAAAA", status: 404 },
];
