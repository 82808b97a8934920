import { expect, type Page } from "@playwright/test";
import { addDays } from "date-fns";
import { sql } from "drizzle-orm";
import { formatDay } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { db } from "../../db/client.ts";
import { stillMoment } from "../support/programs/still-clock.ts";
import { password, type Who, type World } from "./world.ts";

/** One page in one state: what pictures are taken of and what every check of all pages goes through. */
export type Screen = {
  /** The folder of its pictures. */
  name: string;
  /** Its path in app/routes.ts. */
  route: string;
  /** Where it is. */
  at: string | ((world: World) => string);
  /** Who looks; a visitor unless said. */
  as?: Who;
  /** The status it answers with; 200 unless said. */
  status?: number;
  /** Open to anyone and to search engines: held to one first flight and to Lighthouse's 100. */
  public?: true;
  /** Open to anyone, though not to search engines: held to one first flight. */
  light?: true;
  /** What is done on the page before it is looked at. */
  act?: (page: Page, world: World) => Promise<void>;
};

const room =
  (state: keyof World["rooms"], query = "") =>
  ({ rooms }: World) =>
    `/chat/${rooms[state].id}${query}`;
const verified =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/verify/${rooms[state].code}`;
const invited =
  (state: "alone" | "talk") =>
  ({ invites }: World) =>
    `/i/${invites[state]}`;
const transaction =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/transactions/${rooms[state].trade}`;
const dealt =
  (state: keyof World["rooms"]) =>
  ({ rooms }: World) =>
    `/admin/transactions/${rooms[state].trade}`;

const argued =
  (query = "") =>
  ({ rooms }: World) =>
    `/admin/disputes/${rooms.disputed.trade}${query}`;

const person =
  (who: keyof World["ids"], query = "") =>
  ({ ids }: World) =>
    `/admin/users/${ids[who]}${query}`;

/** Shows what asks for a passkey, as where the browser can give one: at this server's address none can. */
const withPasskeys: Screen["act"] = async (page) => {
  await page.evaluate(() => {
    for (const form of document.querySelectorAll<HTMLElement>("[data-passkey]")) form.hidden = false;
    for (const note of document.querySelectorAll<HTMLElement>("[data-passkey-unsupported]"))
      note.hidden = true;
  });
};

/** Fills fields of a form, told apart by its hidden field `form`, and sends it. */
const post =
  (form: string, fields: Record<string, string>): Screen["act"] =>
  async (page) => {
    const shown = page.locator(`form:has(input[name="form"][value="${form}"])`);
    await filled(page, shown, fields);
  };

/** The same for a page's only form that is no preference. */
const send =
  (fields: Record<string, string>): Screen["act"] =>
  (page) =>
    filled(page, page.locator('main form[method="post"]').first(), fields);

async function filled(page: Page, form: ReturnType<Page["locator"]>, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields)) {
    const field = form.locator(`[name="${name}"]`);
    if ((await field.evaluate((element) => element.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await Promise.all([page.waitForEvent("load"), form.locator("button:not([type=button])").last().click()]);
}

/** A text of the catalogues in either language. */
const told = (key: string) => new RegExp(`^(${inEither(key)})$`);
const inEither = (key: string) =>
  supportedLanguages.map((language) => translateText(language, key)).join("|");

/** The end of the line with somebody's role and presence. */
const here = new RegExp(`(${inEither("room.presence.online")})$`);

/** The room's script has spoken with the server, and knows that nobody but the reader is there any more. */
const connected: Screen["act"] = async (page) => {
  await page.getByText(told("room.connected")).waitFor();
  const seats = page.getByRole("list", { name: told("room.members") }).getByRole("listitem");
  const online = seats.filter({ has: page.getByText(told("room.you")) }).getByText(here);
  await expect(online).toHaveCount(1);
  await expect(seats.getByText(here)).toHaveCount(1);
};

/** Unfolds what asks before the hand-over is opened. */
const askToOpen: Screen["act"] = (page) =>
  page.locator('main details:has(input[value="open"]) > summary').click();

/** Leaves the mails the world was made with. */
const firstMails: Screen["act"] = (page, { mails }) =>
  page.evaluate((known) => {
    const shown = [...document.querySelectorAll('main li:has(a[href^="/sandbox/mail/"])')];
    const number = (item: Element) =>
      Number(item.querySelector("a")?.getAttribute("href")?.split("/").at(-1));
    const kept = shown.filter((item) => known.includes(number(item))).slice(-6);
    for (const item of shown) if (!kept.includes(item)) item.remove();
  }, mails);

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

/** The sign-in of somebody whose second factor then asks for its code. */
const signInCarefully: Screen["act"] = post("login", { username: "naran", password });

/** Shows the money desk as it is after the ledger was verified, and leaves no trace of that. */
async function ledgerVerified(problems: object[] | null, page: Page) {
  await db().execute(sql`
    INSERT INTO payments.ledger_checks (at, ok, received, held, suspense, paid_out, fees, refunded, journals, entries, payments,
      payouts, problems)
    VALUES (${stillMoment}, ${problems === null}, 3842500, 2561000, 20000, 1133000, 18500, 110000, 1042, 2284, 418, 377,
      ${problems && JSON.stringify(problems)})`);
  await page.reload();
  await db().execute(sql`DELETE FROM payments.ledger_checks`);
}

const brokenLedger = [
  { code: "JOURNAL_UNBALANCED", count: 2, examples: ["journal 418", "journal 1042"] },
  { code: "BALANCE_DIFFERS", count: 1, examples: ["escrow:418"] },
];

/** Somebody whose names were chosen before the rules of today comes to the page that asks for others; their own names are back then. */
const misnamed =
  (then?: Screen["act"]): Screen["act"] =>
  async (page, world) => {
    const call = (username: string, displayName: string) =>
      db().execute(sql`
        UPDATE identity.users SET username = ${username}, username_key = ${username}, display_name = ${displayName}
        WHERE id = ${world.ids.newcomer}`);
    await call("midman-payments.x", "Төрийн банк");
    try {
      await page.goto("/choose-name");
      await then?.(page, world);
    } finally {
      await call("oyunchimeg", "Оюунчимэг Өлзий");
    }
  };

/** Restricts the newcomer for a week, or with null no more. */
const restrict = ({ ids: { newcomer } }: World, kind: "limit" | "suspend" | null) =>
  db().execute(sql`
    UPDATE identity.users SET restriction = ${kind}, restricted_until = ${kind && addDays(stillMoment, 7).toISOString()}
    WHERE id = ${newcomer}`);

/** Loads the page as somebody reads it whom an administrator has limited. */
const limited: Screen["act"] = async (page, world) => {
  await restrict(world, "limit");
  try {
    await page.reload();
  } finally {
    await restrict(world, null);
  }
};

/** Somebody whose session a suspension ended; afterwards nothing is left of it. */
const suspended: Screen["act"] = async (page, world) => {
  const { newcomer } = world.ids;
  await db().execute(sql`
    INSERT INTO identity.suspended_sessions
    SELECT token_hash, user_id, expires_at FROM identity.sessions WHERE user_id = ${newcomer}`);
  await restrict(world, "suspend");
  try {
    await page.goto("/suspended");
  } finally {
    await restrict(world, null);
    await db().execute(sql`DELETE FROM identity.suspended_sessions WHERE user_id = ${newcomer}`);
  }
};

const supportAsked = {
  topic: "payment",
  name: "Болд",
  email: "bold@example.mn",
  message: "Төлбөр төлсөн боловч баталгаажаагүй байна.",
};

const wrongRegistration = { username: "б", displayName: "Б", email: "болд", password: "123" };

/** Everything that can be wrong with an address; the "а" of its "midmаn" is Cyrillic. */
const doubtful = "http://midman.mn@qpay.midmаn.example:8080/login?next=/chat";

/** The same for a form of a room, which then speaks with the server again. */
const postInRoom =
  (form: string, fields: Record<string, string>): Screen["act"] =>
  async (page, world) => {
    await post(form, fields)?.(page, world);
    await connected?.(page, world);
  };

/** Saves a mail's look with mistakes in it; the button that saves comes first, so that Enter means it. */
const saveWrongLook: Screen["act"] = async (page) => {
  const form = page.locator("form#look");
  await form.locator('[name="subjectMn"]').fill("{{url}}");
  await form.locator('[name="brandName"]').fill("{{name}}");
  await Promise.all([page.waitForEvent("load"), form.locator("button").first().click()]);
};

/** Every page that exists, in each state worth a look. A new page is one line here. */
export const screens: Screen[] = [
  { name: "landing", route: "/", at: "/", public: true },
  { name: "landing-sign-up", route: "/", at: "/?tab=register" },
  { name: "landing-forgot", route: "/", at: "/?dialog=forgot-password" },
  { name: "landing-guarded", route: "/", at: "/chat" },
  {
    name: "landing-sign-in-wrong",
    route: "/",
    at: "/",
    status: 422,
    act: post("login", { username: "bo", password: "1" }),
  },
  {
    name: "landing-sign-in-refused",
    route: "/",
    at: "/",
    status: 401,
    act: post("login", { username: "bold", password: "not my password" }),
  },
  {
    name: "landing-sign-up-wrong",
    route: "/",
    at: "/?tab=register",
    status: 422,
    act: post("register", wrongRegistration),
  },
  {
    name: "landing-forgot-sent",
    route: "/",
    at: "/?dialog=forgot-password",
    act: post("forgot", { email: "nobody@example.mn" }),
  },
  { name: "reset-password-dead", route: "reset-password", at: "/reset-password?token=AAAAAAAAAAAAAAAAAAAA" },
  { name: "reset-password-done", route: "reset-password", at: "/reset-password?done" },
  { name: "change-password", route: "change-password", at: "/change-password", as: "newcomer" },
  {
    name: "change-password-wrong",
    route: "change-password",
    at: "/change-password",
    as: "newcomer",
    status: 422,
    act: send({ currentPassword: "", newPassword: "one secret word", confirmPassword: "another word" }),
  },
  { name: "landing-fees", route: "/", at: "/?amount=1250000&payer=split" },
  { name: "landing-fees-wrong", route: "/", at: "/?amount=abc", status: 422 },
  { name: "sign-in-code", route: "sign-in/code", at: "/", act: signInCarefully },
  {
    name: "sign-in-code-wrong",
    route: "sign-in/code",
    at: "/",
    status: 422,
    act: async (page, world) => {
      await signInCarefully?.(page, world);
      await send({ code: "12" })?.(page, world);
    },
  },
  { name: "support", route: "support", at: "/support", public: true },
  { name: "support-wrong", route: "support", at: "/support", status: 422, act: send({ message: "short" }) },
  { name: "support-signed-in", route: "support", at: "/support?topic=payment", as: "buyer" },
  { name: "support-sent", route: "support", at: "/support", act: send(supportAsked) },
  { name: "history", route: "history", at: "/history", as: "seller" },
  { name: "history-empty", route: "history", at: "/history", as: "newcomer" },
  { name: "history-guarded", route: "history", at: "/history", status: 401 },
  ...(["requested", "held", "settlement", "cancelled", "disputed"] as const).map((state) => ({
    name: `transaction-${state}`,
    route: "transactions/:id",
    at: transaction(state),
    as: "seller" as const,
  })),
  { name: "transaction-buyer", route: "transactions/:id", at: transaction("handedOver"), as: "buyer" },
  {
    name: "transaction-wrong",
    route: "transactions/:id",
    at: transaction("held"),
    as: "buyer",
    status: 422,
    act: post("message", { content: " " }),
  },
  {
    name: "transaction-missing",
    route: "transactions/:id",
    at: "/transactions/999999",
    as: "newcomer",
    status: 404,
  },
  { name: "transaction-guarded", route: "transactions/:id", at: transaction("held"), status: 401 },
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
  { name: "not-found", route: "*", at: "/nowhere", status: 404 },
  { name: "away", route: "away", at: `/away?to=${encodeURIComponent("https://steamcommunity.com/id/bold")}` },
  { name: "away-doubtful", route: "away", at: `/away?to=${encodeURIComponent(doubtful)}` },
  { name: "away-nowhere", route: "away", at: "/away", status: 400 },
  { name: "chat", route: "chat", at: "/chat", as: "seller" },
  { name: "chat-empty", route: "chat", at: "/chat", as: "newcomer" },
  { name: "chat-create", route: "chat", at: "/chat?dialog=create", as: "newcomer" },
  { name: "chat-join", route: "chat", at: "/chat?dialog=join", as: "newcomer" },
  {
    name: "chat-invite",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=invite&room=${rooms.alone.id}`,
    as: "seller",
  },
  {
    name: "chat-again",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=create&with=${rooms.completed.id}`,
    as: "seller",
  },
  {
    name: "chat-kept",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=delete&room=${rooms.held.id}`,
    as: "seller",
  },
  { name: "chat-found", route: "chat", at: "/chat?q=minecraft", as: "buyer" },
  {
    name: "chat-delete",
    route: "chat",
    at: ({ rooms }) => `/chat?dialog=delete&room=${rooms.alone.id}`,
    as: "seller",
  },
  { name: "room-held-buyer", route: "chat/:id", at: room("held"), as: "buyer", act: connected },
  { name: "room-alone", route: "chat/:id", at: room("alone"), as: "seller", act: connected },
  {
    name: "room-invite",
    route: "chat/:id",
    at: room("alone", "?dialog=invite"),
    as: "seller",
    act: connected,
  },
  {
    name: "room-leave-held",
    route: "chat/:id",
    at: room("held", "?dialog=leave"),
    as: "buyer",
    act: connected,
  },
  {
    name: "room-request-review",
    route: "chat/:id",
    at: room("talk"),
    as: "seller",
    act: postInRoom("create-trade", { amount: "120000", goods: "account", description: "Түвшин 80" }),
  },
  {
    name: "room-bank-review",
    route: "chat/:id",
    at: room("held"),
    as: "seller",
    act: postInRoom("bank-info", {
      accountName: "Ганбатын Сарнай",
      bankName: "Хаан банк",
      accountNumber: "5012345678",
      phoneNumber: "99112233",
      email: "sarnai@example.mn",
    }),
  },
  { name: "room-leave", route: "chat/:id", at: room("talk", "?dialog=leave"), as: "buyer", act: connected },
  ...(
    [
      "talk",
      "requested",
      "waiting",
      "part",
      "failed",
      "checking",
      "held",
      "handedOver",
      "received",
      "settlement",
      "completed",
      "cancelled",
      "disputed",
    ] as const
  ).flatMap((state) =>
    (["seller", "buyer"] as const)
      .map((who) => ({
        name: `room-${state}-${who}`,
        route: "chat/:id",
        at: room(state),
        as: who,
        act: connected,
      }))
      .filter(({ name }) => name !== "room-held-buyer"),
  ),
  ...(["seller", "buyer"] as const).flatMap((who) =>
    (["waiting", "held", "sealed", "unsealed", "vaultOver"] as const).map((state) => ({
      name: `vault-${state}-${who}`,
      route: "chat/:id/vault",
      at: room(state, "/vault"),
      as: who,
      ...(state === "sealed" && who === "buyer" && { act: askToOpen }),
    })),
  ),
  {
    name: "vault-wrong",
    route: "chat/:id/vault",
    at: room("held", "/vault"),
    as: "seller",
    status: 422,
    act: async (page, world) => {
      await page.locator('[name="sure"]').check();
      await post("seal", { login: "altan_burged", password: "Khangai-2025!", email: "altan" })?.(page, world);
    },
  },
  {
    name: "vault-read",
    route: "chat/:id/vault",
    at: room("read", "/vault"),
    as: "buyer",
    act: async (page, world) => {
      await askToOpen?.(page, world);
      await post("open", {})?.(page, world);
    },
  },
  { name: "terms", route: "terms-of-service", at: "/terms-of-service", public: true },
  { name: "privacy", route: "privacy-policy", at: "/privacy-policy", public: true },
  { name: "security-guide", route: "security-guide", at: "/security-guide", public: true },
  { name: "faq", route: "faq", at: "/faq", public: true },
  { name: "proof", route: "proof", at: "/proof", public: true },
  { name: "developers", route: "developers", at: "/developers" },
  {
    name: "developers-call",
    route: "developers/:call",
    at: "/developers/post-api-transactions",
    light: true,
  },
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
  {
    name: "admin-reconciliation",
    route: "admin/reconciliation",
    at: `/admin/reconciliation?day=${formatDay(stillMoment)}`,
    as: "admin",
  },
  {
    name: "admin-reconciliation-not-yet",
    route: "admin/reconciliation",
    at: "/admin/reconciliation",
    as: "admin",
  },
  { name: "admin-money", route: "admin/money", at: "/admin/money", as: "admin" },
  {
    name: "admin-settlements",
    route: "admin/money/settlements",
    at: "/admin/money/settlements",
    as: "admin",
  },
  {
    name: "admin-settlements-wrong",
    route: "admin/money/settlements",
    at: "/admin/money/settlements",
    as: "admin",
    status: 422,
    act: post("settlement", { bankReference: "", received: "0", cost: "" }),
  },
  {
    name: "admin-money-wrong",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    status: 422,
    act: async (page, world) => {
      await page.locator('main details:has(input[value="halt"]) > summary').click();
      await post("halt", { reason: "", word: "x" })?.(page, world);
    },
  },
  {
    name: "admin-money-whole",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    act: (page) => ledgerVerified(null, page),
  },
  {
    name: "admin-money-broken",
    route: "admin/money",
    at: "/admin/money",
    as: "admin",
    act: (page) => ledgerVerified(brokenLedger, page),
  },
  { name: "admin-email", route: "admin/email", at: "/admin/email", as: "admin" },
  { name: "admin-email-template", route: "admin/email/:template", at: "/admin/email/welcome", as: "admin" },
  {
    name: "admin-email-edit",
    route: "admin/email/:template",
    at: "/admin/email/passwordReset?edit",
    as: "admin",
  },
  {
    name: "admin-email-wrong",
    route: "admin/email/:template",
    at: "/admin/email/passwordReset?edit",
    as: "admin",
    status: 422,
    act: saveWrongLook,
  },
  { name: "sandbox-mail", route: "sandbox/mail", at: "/sandbox/mail", act: firstMails },
  {
    name: "sandbox-mail-item",
    route: "sandbox/mail/:id",
    at: ({ mails }) => `/sandbox/mail/${mails.at(-1)}`,
  },
  {
    name: "sandbox-pay",
    route: "sandbox/qpay/pay/:invoiceId",
    at: ({ rooms }) => `/sandbox/qpay/pay/${rooms.waiting.invoice}`,
  },
  {
    name: "settings-passkey-rename",
    route: "settings",
    at: "/settings?rename=1#passkeys",
    as: "careful",
  },
  {
    name: "settings-passkey-remove",
    route: "settings",
    at: "/settings?remove=2#passkeys",
    as: "careful",
  },
  {
    name: "passkey-new",
    route: "settings/passkeys/new",
    at: "/settings/passkeys/new",
    as: "newcomer",
    act: withPasskeys,
  },
  {
    name: "passkey-unsupported",
    route: "settings/passkeys/new",
    at: "/settings/passkeys/new",
    as: "newcomer",
  },
  {
    name: "settings-confirm-passkey",
    route: "settings/confirm",
    at: "/settings/confirm",
    as: "careful",
    act: withPasskeys,
  },
  { name: "landing-passkey", route: "/", at: "/", act: withPasskeys },
  { name: "admin-login-passkey", route: "admin/login", at: "/admin/login", act: withPasskeys },
  { name: "invitation", route: "i/:code", at: invited("alone"), light: true },
  { name: "invitation-signed-in", route: "i/:code", at: invited("alone"), as: "newcomer" },
  { name: "invitation-own", route: "i/:code", at: invited("alone"), as: "seller" },
  { name: "invitation-full", route: "i/:code", at: invited("talk"), as: "newcomer", status: 409 },
  { name: "invitation-renewed", route: "i/:code", at: "/i/AAAAAAAAAA", status: 404 },
  { name: "choose-name", route: "choose-name", at: "/choose-name", as: "newcomer", act: misnamed() },
  {
    name: "choose-name-wrong",
    route: "choose-name",
    at: "/choose-name",
    as: "newcomer",
    status: 422,
    act: misnamed(send({ displayName: "evil.mn", username: "qpay" })),
  },
  { name: "suspended", route: "suspended", at: "/suspended", as: "newcomer", status: 403, act: suspended },
  { name: "chat-limited", route: "chat", at: "/chat?dialog=create", as: "newcomer", act: limited },
  { name: "invitation-limited", route: "i/:code", at: invited("alone"), as: "newcomer", act: limited },
];

/** Routes nobody looks at, each with the reason. */
export const unseen: Record<string, string> = {
  preferences: "keeps a choice and goes back",
  logout: "signs out and goes to the landing page",
  "settings/second-factor/codes/file": "a file of what the page before shows",
  "settings/data": "a file to keep",
  "admin/activity-logs.csv": "a file of what the log's page shows",
  "verify-email": "keeps what a mail's link says and goes on",
  "admin/dashboard": "the same as /admin",
  "admin/email/:template/export": "a file of what the editor saved",
  "admin/email/:template/preview": "a mail by itself: it stands in the frame of the page before",
  "admin/money/transfers.csv": "a file of a day's transfers",
  "admin/disputes/:id/evidence": "an archive of what is kept of a trade",
  "admin/disputes/:id/pictures/:image": "a picture alone",
  quote: "sums that a form's script shows while an amount is typed",
  "chat/:id/panel": "a part of the room's page, fetched by its script",
  design: "for those who build Midman; not there in production",
  "sandbox/qpay/pay/:invoiceId/press": "the sandbox page's form is sent there and leads back",
};
