import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { RouteConfigEntry } from "@react-router/dev/routes";
import { type Language, supportedLanguages } from "#locales";
import routes from "../../app/routes.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { signInAdministrator } from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { readCatalogTexts } from "../support/sources/catalog-texts.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** Every page there is, as visitor, member (either side of a trade) and administrator, in both languages: whole texts of that language alone. */

const other = { mn: "en", en: "mn" } as const;
const groups = [...new Set(readCatalogTexts("en").map(({ key }) => key.split(".")[0]))].filter(
  (name) => name !== "brand" && name !== "language",
);
// A name of a group, a dot and a letter right after it; an address like mail@chat.example has a sign before it.
const untranslated = new RegExp(`(?<![\\w@./-])(?:${groups.join("|")})(?:\\.[A-Za-z_][\\w-]*)+`, "g");

/** The other language's own name, and the mail to the office, which is in Mongolian and stands in the mailbox. */
const besides = new Set(["documents.other", "mail.adminTask.subject"]);

/** What the pages of a language may not say: pieces of three words or more that only the other has. */
function foreignPieces(language: Language): string[] {
  const own = new Map(readCatalogTexts(language).map(({ key, text }) => [key, text]));
  const pieces = readCatalogTexts(other[language])
    .filter(({ key, text }) => own.get(key) !== text && !besides.has(key))
    .flatMap(({ text }) => text.split(/\{\{[^}]*\}\}/))
    .map((piece) => piece.trim())
    .filter((piece) => (piece.match(/\p{L}+/gu) ?? []).length >= 3);
  return [...new Set(pieces)];
}
/** What Midman says of a code it says in both languages, on one page; what it says to programs it says in English. */
const inBoth = /^\/(verify|developers)\b/;

type World = {
  server: Server;
  deal: ServerTrade;
  argued: ServerTrade;
  admin: Client;
  code: string;
  refund: string;
};
const worlds = new Map<Language, World>();

/** A server of its own for each language, so that names, mails and notices are of that language too. */
async function open(language: Language): Promise<World> {
  const server = await startServer();
  const client = (headers?: Record<string, string>) =>
    server.client({ "Accept-Language": language, ...headers });
  const deal = await openPaidTrade({ client });
  const admin = await signInAdministrator({ client });
  await admin.patch("/api/users/profile", { language });
  const argued = await openPaidTrade({ client });
  await argued.buyer.post(`/api/transactions/${argued.id}/dispute`, { reason: "404" });
  const code = String((await deal.buyer.get(`/api/transactions/${deal.id}`)).body.transactionCode);
  const returned = await openPaidTrade({ client });
  await admin.post(`/api/admin/transactions/${returned.id}/cancel`);
  const { payouts } = (await admin.get(`/api/admin/transactions/${returned.id}`)).body as unknown as {
    payouts: Array<{ id: number }>;
  };
  return { server, deal, argued, admin, code, refund: String(payouts[0]?.id) };
}

beforeAll(async () => {
  for (const language of supportedLanguages) worlds.set(language, await open(language));
}, 240_000);

afterAll(async () => {
  for (const { server } of worlds.values()) await server.stop();
});

/** What a parameter of a path may be, by the path up to it; a new page with a new parameter says so here. */
function fillings({ deal, argued, code, refund }: World, mailId: string): Record<string, string> {
  return {
    "chat/:id": String(deal.roomId),
    "transactions/:id": String(deal.id),
    "verify/:code": code,
    "i/:code": "AAAAAAAAAA",
    "admin/transactions/:id": String(deal.id),
    "admin/payouts/:id": refund,
    "admin/disputes/:id/pictures/:image": String(argued.id),
    "admin/disputes/:id": String(argued.id),
    "admin/email/:template": "transactionCompletion",
    "admin/users/:id": String(deal.buyer.id),
    "developers/:call": "post-api-transactions",
    "sandbox/mail/:id": mailId,
    "sandbox/qpay/pay/:invoiceId": deal.invoiceId,
  };
}

/** Every path of `app/routes.ts` with its parameters filled, and the states of a page that its address opens. */
function addresses(world: World, mailId: string): string[] {
  const fill = fillings(world, mailId);
  const paths = (routes as RouteConfigEntry[]).flatMap(({ path }) => path ?? []);
  const filled = paths.map((path) => {
    if (path === "*") return "no-such-page";
    const start = Object.keys(fill).find((one) => path === one || path.startsWith(`${one}/`));
    const whole = start === undefined ? path : path.replace(start, start.replace(/:\w+/g, fill[start] ?? ""));
    if (/[:*]/.test(whole)) throw new Error(`${path}: say what its parameter may be`);
    return whole;
  });
  const { roomId } = world.deal;
  const opened = [
    "?tab=register",
    "?dialog=forgot-password",
    "reset-password?token=x",
    `away?to=${encodeURIComponent("http://a@qpay.midmаn.example:8080/")}`,
    "away?to=http%3A%2F%2F127.0.0.1%2F",
    "admin/transactions?q=zz&status=pending&money=none&sort=largest&from=2026-01-01",
    "chat?dialog=create",
    "chat?dialog=join",
    `chat?dialog=invite&room=${roomId}`,
    `chat?dialog=delete&room=${roomId}`,
    `chat/${roomId}?dialog=invite`,
    `chat/${roomId}?dialog=leave`,
    `chat/${roomId}?dialog=confirm`,
    `chat/${roomId}?dialog=cancel`,
    `chat/${roomId}?dialog=dispute`,
    "admin/activity-logs?view=table&to=2020-01-01",
    "admin/activity-logs?user=nobody.at.all",
    "admin/email/passwordReset?edit",
    "admin?show=refund&by=week",
    "admin/payouts?state=unknown",
    `admin/disputes/${world.argued.id}?ruling=refund`,
    `admin/disputes/${world.argued.id}?ruling=split&refund=999999999`,
  ];
  return [...filled, ...opened].map((path) => `/${path.replace(/^\//, "")}`);
}

/** Forms sent empty: their refusals stand by the fields. */
const forms: Array<[string, string]> = [
  ["/?tab=register", "form=register&intent=register"],
  ["/", "form=login&intent=login"],
  ["/support", ""],
  ["/reset-password?token=x", ""],
];

const isPage = ({ headers, text }: Reply) =>
  (headers.get("content-type") ?? "").startsWith("text/html") && text.includes("<body");

for (const language of supportedLanguages) {
  describe(`pages in ${language}`, () => {
    const foreign = foreignPieces(language);
    const wrongIn = (where: string, reply: Reply): string[] => {
      const text = visibleText(reply.text);
      const keys = [...text.matchAll(untranslated)].map(([key]) => key);
      const strange = inBoth.test(where) ? [] : foreign.filter((piece) => text.includes(piece));
      return [...keys, ...strange].map((what) => `${where}: ${what}`);
    };

    for (const who of ["visitor", "buyer", "seller", "administrator"] as const) {
      test(`as ${who}`, async () => {
        const world = worlds.get(language);
        if (world === undefined) throw new Error("the server did not start");
        const visitor = world.server.client({ "Accept-Language": language });
        const { buyer, seller } = world.deal;
        const person = { visitor, buyer, seller, administrator: world.admin }[who];
        const mails = (await visitor.get("/sandbox/mail")).text;
        const mailId = /\/sandbox\/mail\/(\d+)/.exec(mails)?.[1] ?? "";
        const wrong: string[] = [];
        let pages = 0;
        for (const address of addresses(world, mailId)) {
          const reply = await person.get(address);
          if (!isPage(reply)) continue;
          pages += 1;
          if (!reply.text.includes(`<html lang="${language}"`)) wrong.push(`${address}: not in ${language}`);
          wrong.push(...wrongIn(address, reply));
        }
        for (const [address, body] of forms) {
          const headers = { "Content-Type": "application/x-www-form-urlencoded" };
          const reply = await person.send("POST", address, body, headers);
          if (isPage(reply)) wrong.push(...wrongIn(`POST ${address}`, reply));
        }
        expect([...new Set(wrong)]).toEqual([]);
        expect(pages).toBeGreaterThan(who === "visitor" ? 6 : 10);
      }, 120_000);
    }
  });
}

test("a key and a sentence of the other language are detected", () => {
  const page =
    "<body><p>errors.ROOM_FULL and <b>mail</b>. chat</p><input placeholder='landing.steps.pay'></body>";
  expect([...visibleText(page).matchAll(untranslated)].map(([key]) => key)).toEqual([
    "errors.ROOM_FULL",
    "landing.steps.pay",
  ]);
  expect(foreignPieces("mn")).toContain(
    "This room already has a buyer and a seller. Ask for an invite to another room.",
  );
  expect(foreignPieces("en").length).toBeGreaterThan(300);
});
