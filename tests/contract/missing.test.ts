import { beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { supportedLanguages, translateText } from "#locales";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  makeRoomPair,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client, Reply } from "../support/server/http-client.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { openPaidTrade, type ServerTrade } from "../support/trades/server-trades.ts";

/** What does not exist, and what is not the reader's: one answer for both, which says what is missing. */

setDefaultTimeout(120_000);

let server: SharedServer;
let stranger: Person;
let admin: Client;
let deal: ServerTrade;
const nobody = 999_999_999;

beforeAll(async () => {
  server = await sharedServer();
  [stranger, admin, deal] = await Promise.all([
    registerPerson(server),
    signInAdministrator(server),
    openPaidTrade(server),
  ]);
}, 240_000);

const joke = {
  en: "Did you forget to add the page to the router?",
  mn: "Хаягаа зөв бичсэн эсэхээ шалгана уу.",
};
const page = (who: Client, path: string, language = "en") =>
  who.send("GET", path, undefined, { Accept: "text/html", "Accept-Language": language });
const said = ({ text }: Reply) => visibleText(/<main.*?<\/main>/s.exec(text)?.[0] ?? "");

test("only an address that is no page asks about the router", async () => {
  for (const language of supportedLanguages) {
    for (const path of ["/no/such/page", `/chat/${deal.roomId}/nothing`, "/admin/nothing"]) {
      const reply = await page(stranger, path, language);
      expect([path, reply.status, said(reply).includes(joke[language])]).toEqual([path, 404, true]);
    }
  }
});

test("a room that does not exist and one of others are the same page and the same reply", async () => {
  for (const language of supportedLanguages) {
    for (const under of ["", "/vault", "/search", "/panel"]) {
      const none = await page(stranger, `/chat/${nobody}${under}`, language);
      const foreign = await page(stranger, `/chat/${deal.roomId}${under}`, language);
      const unread = await page(stranger, `/chat/x${under}`, language);
      expect([none.status, foreign.status, unread.status]).toEqual([404, 404, 404]);
      expect(said(foreign)).toBe(said(none));
      expect(said(unread)).toBe(said(none));
      expect(said(none)).toContain(translateText(language, "errors.CHAT_ROOM_NOT_FOUND"));
      expect(said(none)).toContain(translateText(language, "pages.missing.room"));
      expect(said(none)).not.toContain(joke[language]);
    }
  }
  for (const [method, under, body] of [
    ["GET", "", undefined],
    ["GET", "/messages", undefined],
    ["POST", "/messages", { content: "Hello" }],
    ["GET", "/participants", undefined],
    ["GET", "/transactions", undefined],
    ["POST", "/invite", undefined],
    ["POST", "/leave", undefined],
    ["DELETE", "", undefined],
  ] as const) {
    const [none, foreign] = await Promise.all(
      [nobody, deal.roomId].map((id) => stranger.send(method, `/api/chat/rooms/${id}${under}`, body)),
    );
    expect([method, under, foreign?.status, foreign?.body]).toEqual([
      method,
      under,
      none?.status,
      none?.body,
    ]);
    expect([none?.status, none?.body.code]).toEqual([404, "CHAT_ROOM_NOT_FOUND"]);
  }
});

test("a transaction that does not exist and one of others are the same, and are called a transaction", async () => {
  for (const language of supportedLanguages) {
    const none = await page(stranger, `/transactions/${nobody}`, language);
    const foreign = await page(stranger, `/transactions/${deal.id}`, language);
    expect([none.status, foreign.status, said(foreign)]).toEqual([404, 404, said(none)]);
    expect(said(none)).toContain(translateText(language, "transaction.notShown"));
    expect(said(none)).toContain(translateText(language, "transaction.loadFailed"));
    expect(said(none)).not.toContain(joke[language]);
  }
});

test("an administrator's missing record and picture are called so", async () => {
  for (const [path, key] of [
    [`/admin/transactions/${nobody}`, "pages.missing.record"],
    [`/admin/transactions/${nobody}/holds`, "pages.missing.record"],
    [`/admin/payouts/${nobody}`, "pages.missing.record"],
    [`/admin/disputes/${nobody}`, "pages.missing.record"],
    [`/admin/email/nothing`, "pages.missing.record"],
    [`/admin/disputes/${deal.id}/pictures/nothing`, "pages.missing.picture"],
  ] as const) {
    for (const language of supportedLanguages) {
      const reply = await page(admin, path, language);
      expect([path, reply.status, said(reply).includes(translateText(language, key))]).toEqual([
        path,
        404,
        true,
      ]);
      expect(said(reply)).not.toContain(joke[language]);
    }
  }
});

test("a room without a transaction has no vault, and a form that the page no longer has changes nothing", async () => {
  const { seller, roomId } = await makeRoomPair(server);
  const vault = await page(seller, `/chat/${roomId}/vault`);
  expect([vault.status, said(vault).includes(translateText("en", "pages.missing.vault"))]).toEqual([
    404,
    true,
  ]);
  const old = await postForm(seller, `/chat/${roomId}`, { form: "of-an-older-page" });
  expect([old.status, said(old).includes(translateText("en", "pages.missing.form"))]).toEqual([404, true]);
});
