import type { World } from "../../world.ts";
import { post, told } from "../acts.ts";
import type { Screen } from "../screen.ts";

const person =
  (who: keyof World["ids"], query = "") =>
  ({ ids }: World) =>
    `/admin/users/${ids[who]}${query}`;

/** Puts what differs from one world to the next, the numbers of entries and the chain's head, into one form. */
const steadyLog: Screen["act"] = (page) =>
  page.evaluate(() => {
    const put = (selector: string, said: (text: string) => string) => {
      for (const one of document.querySelectorAll(selector)) {
        const text = one.textContent ?? "";
        if (said(text) !== text) one.textContent = said(text);
      }
    };
    put("main article dl > div:last-child dd, main tbody td:first-child", () => "1042");
    put('main section:has(form[method="post"]) > p', (text) => text.replace(/: [\d,]+,/, ": 97,"));
    put("main output, main p > code", (text) => text.replace(/\d+:[0-9a-f]{64}/, `97:${"6d".repeat(32)}`));
  });

/** The back office: its log, and the people it knows. */
export const userScreens: Screen[] = [
  {
    name: "admin-logs",
    route: "admin/activity-logs",
    at: "/admin/activity-logs?action=register&to=2020-01-02",
    as: "admin",
    act: steadyLog,
  },
  {
    name: "admin-logs-table",
    route: "admin/activity-logs",
    at: "/admin/activity-logs?view=table&action=register&to=2020-01-02",
    as: "admin",
    act: steadyLog,
  },
  {
    name: "admin-logs-empty",
    route: "admin/activity-logs",
    at: "/admin/activity-logs?to=2020-01-01",
    as: "admin",
    act: steadyLog,
  },
  {
    name: "admin-logs-nobody",
    route: "admin/activity-logs",
    at: "/admin/activity-logs?user=nobody",
    as: "admin",
    act: steadyLog,
  },
  { name: "admin-users", route: "admin/users", at: "/admin/users", as: "admin" },
  { name: "admin-users-found", route: "admin/users", at: "/admin/users?q=sarnai&sort=name", as: "admin" },
  {
    name: "admin-users-unsaved",
    route: "admin/users",
    at: "/admin/users?q=bold",
    as: "admin",
    status: 422,
    act: async (page, world) => {
      await page.locator('main details:has(input[value="save-filter"]) > summary').click();
      await post("save-filter", { name: "" })?.(page, world);
    },
  },
  {
    name: "admin-palette",
    route: "admin/users",
    at: "/admin/users?show=admins",
    as: "admin",
    act: async (page) => {
      await page.keyboard.press("Control+k");
      await page.getByRole("combobox", { name: told("admin.palette.title") }).fill("a");
    },
  },
  {
    name: "admin-keys",
    route: "admin/users",
    at: "/admin/users?show=admins",
    as: "admin",
    act: (page) => page.keyboard.press("?"),
  },
  { name: "admin-users-none", route: "admin/users", at: "/admin/users?q=nobody&show=deleted", as: "admin" },
  { name: "admin-user", route: "admin/users/:id", at: person("watched"), as: "admin" },
  {
    name: "admin-user-transactions",
    route: "admin/users/:id",
    at: person("seller", "?tab=transactions"),
    as: "admin",
  },
  { name: "admin-user-factor", route: "admin/users/:id", at: person("careful"), as: "admin" },
  {
    name: "admin-user-delete-wrong",
    route: "admin/users/:id",
    at: person("newcomer", "?do=delete"),
    as: "admin",
    status: 422,
    act: post("delete-user", { confirmation: "somebody else" }),
  },
  {
    name: "admin-user-restrict",
    route: "admin/users/:id",
    at: person("newcomer", "?do=restrict"),
    as: "admin",
  },
  {
    name: "admin-user-restrict-wrong",
    route: "admin/users/:id",
    at: person("newcomer", "?do=restrict"),
    as: "admin",
    status: 422,
    act: post("restrict", { note: "" }),
  },
  { name: "admin-reports", route: "admin/reports", at: "/admin/reports", as: "admin" },
  {
    name: "admin-user-missing",
    route: "admin/users/:id",
    at: "/admin/users/999999",
    as: "admin",
    status: 404,
  },
];
