import { post } from "./acts.ts";
import type { Screen } from "./screen.ts";

/** The profile, the settings and the end of an account. */
export const settingsScreens: Screen[] = [
  { name: "profile", route: "profile", at: "/profile", as: "newcomer" },
  {
    name: "profile-wrong",
    route: "profile",
    at: "/profile",
    as: "newcomer",
    status: 422,
    act: post("profile", { phoneNumber: "12" }),
  },
  { name: "settings", route: "settings", at: "/settings", as: "newcomer" },
  { name: "settings-careful", route: "settings", at: "/settings", as: "careful" },
  { name: "settings-confirm", route: "settings/confirm", at: "/settings/confirm", as: "careful" },
  { name: "second-factor", route: "settings/second-factor", at: "/settings/second-factor", as: "setting" },
  {
    name: "second-factor-begin",
    route: "settings/second-factor",
    at: "/settings/second-factor",
    as: "newcomer",
  },
  {
    name: "second-factor-wrong",
    route: "settings/second-factor",
    at: "/settings/second-factor",
    as: "setting",
    status: 422,
    act: post("confirm", { code: "12" }),
  },
  {
    name: "second-factor-off",
    route: "settings/second-factor/off",
    at: "/settings/second-factor/off",
    as: "careful",
  },
  {
    name: "recovery-codes-renew",
    route: "settings/second-factor/codes",
    at: "/settings/second-factor/codes",
    as: "careful",
  },
  { name: "delete-account", route: "settings/delete", at: "/settings/delete", as: "newcomer" },
  { name: "delete-account-money-held", route: "settings/delete", at: "/settings/delete", as: "seller" },
];
