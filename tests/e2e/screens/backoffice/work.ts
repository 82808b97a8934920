import { translateText } from "#locales";
import type { World } from "../../world.ts";
import { send } from "../acts.ts";
import type { Screen } from "../screen.ts";

const dealt =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/admin/transactions/${rooms[state].trade}`;

const argued =
  (query = "") =>
  ({ rooms }: World) =>
    `/admin/disputes/${rooms.disputed.trade}${query}`;

/** The back office: its sign-in, what waits, payouts, transactions and disputes. */
export const workScreens: Screen[] = [
  { name: "admin-login", route: "admin/login", at: "/admin/login" },
  { name: "admin-login-not-authorised", route: "admin/login", at: "/admin/login", as: "newcomer" },
  {
    name: "admin-login-refused",
    route: "admin/login",
    at: "/admin/login",
    status: 401,
    act: send({ username: "admin", password: "not the password" }),
  },
  { name: "admin", route: "admin", at: "/admin", as: "admin" },
  { name: "admin-nothing", route: "admin", at: "/admin?show=mail&by=week", as: "admin" },
  { name: "admin-payouts", route: "admin/payouts", at: "/admin/payouts", as: "admin" },
  { name: "admin-payouts-sent", route: "admin/payouts", at: "/admin/payouts?state=sent", as: "admin" },
  {
    name: "admin-payout",
    route: "admin/payouts/:id",
    at: ({ payouts }) => `/admin/payouts/${payouts.due}`,
    as: "admin",
  },
  {
    name: "admin-payout-sent",
    route: "admin/payouts/:id",
    at: ({ payouts }) => `/admin/payouts/${payouts.sent}`,
    as: "admin",
  },
  {
    name: "admin-receipt",
    route: "admin/payouts/:id/receipt",
    at: ({ payouts }) => `/admin/payouts/${payouts.sent}/receipt`,
    as: "admin",
  },
  {
    name: "admin-by-hand",
    route: "admin/transactions/:id/by-hand",
    at: ({ rooms }) => `/admin/transactions/${rooms.requested.trade}/by-hand`,
    as: "admin",
  },
  {
    name: "admin-holds",
    route: "admin/transactions/:id/holds",
    at: ({ rooms }) => `/admin/transactions/${rooms.checking.trade}/holds`,
    as: "admin",
    act: async (page) =>
      page
        .locator("summary", { hasText: translateText("mn", "admin.hold.resolve") })
        .or(page.locator("summary", { hasText: translateText("en", "admin.hold.resolve") }))
        .first()
        .click(),
  },
  { name: "admin-transactions", route: "admin/transactions", at: "/admin/transactions", as: "admin" },
  {
    name: "admin-transactions-none",
    route: "admin/transactions",
    at: "/admin/transactions?q=no+such+thing&status=cancelled&sort=largest",
    as: "admin",
  },
  { name: "admin-disputed", route: "admin/transactions/:id", at: dealt("disputed"), as: "admin" },
  { name: "admin-dispute", route: "admin/disputes/:id", at: argued(), as: "admin" },
  {
    name: "admin-dispute-ruling",
    route: "admin/disputes/:id",
    at: argued("?ruling=split&refund=500,000"),
    as: "admin",
  },
  {
    name: "admin-dispute-no-such-split",
    route: "admin/disputes/:id",
    at: argued("?ruling=split&refund=9,000,000"),
    as: "admin",
  },
  {
    name: "admin-held",
    route: "admin/transactions/:id",
    at: dealt("held"),
    as: "admin",
    act: (page) => page.locator('main details:has(input[value="cancel"]) > summary').click(),
  },
  { name: "admin-settlement", route: "admin/transactions/:id", at: dealt("settlement"), as: "admin" },
  { name: "admin-completed", route: "admin/transactions/:id", at: dealt("completed"), as: "admin" },
  {
    name: "admin-transcript",
    route: "admin/transactions/:id/chat",
    at: ({ rooms }) => `/admin/transactions/${rooms.completed.trade}/chat`,
    as: "admin",
  },
];
