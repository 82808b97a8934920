import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { formatLongDay } from "#format";
import { supportedLanguages, translateText } from "#locales";
import { paths } from "../../app/paths.ts";
import { connectDatabase, disconnectDatabase } from "../../db/client.ts";
import { postForm } from "../support/pages/post-form.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import { startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import {
  bankInfo,
  openPaidTrade,
  requestPayment,
  type ServerTrade,
} from "../support/trades/server-trades.ts";

/** What Midman says of a code to anybody, and a transaction's own page to its parties. */

let server: SharedServer;
let paid: ServerTrade;
let asked: ServerTrade;
let third: Person;
let code: string;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  [paid, asked, third] = await Promise.all([
    openPaidTrade(server),
    requestPayment(server),
    registerPerson(server, "Third One"),
  ]);
  code = await codeOf(paid);
}, 240_000);

afterAll(() => disconnectDatabase());

async function codeOf({ buyer, id }: ServerTrade): Promise<string> {
  return String(expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.transactionCode);
}

describe("/verify/{code}", () => {
  test("shows anyone the state and the time in both languages, and no people, room, goods or amounts", async () => {
    for (const who of [server.client(), third]) {
      const page = expectStatus(await who.get(paths.verify(code)), 200);
      const said = visibleText(page.text);
      expect(said).toContain(code);
      for (const language of supportedLanguages) {
        expect(said).toContain(translateText(language, "verify.state.confirmed"));
        expect(said).toContain(translateText(language, "money.held"));
        expect(said).toContain(translateText(language, "verify.lead"));
        expect(page.text).toContain(`<div lang="${language}"`);
      }
      expect(said).toMatch(/\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d/);
      expect(said).toContain(`${server.url}/verify/`);
      const private_ = [
        "Seller One",
        "Buyer Two",
        "A game account",
        "Account, level 60",
        "110,000",
        "100,000",
      ];
      for (const word of [...private_, paid.buyer.username, paid.seller.username, `/chat/${paid.roomId}`]) {
        expect([word, page.text.includes(word)]).toEqual([word, false]);
      }
      expect(page.headers.get("cache-control")).toBe("no-store");
      expect(page.headers.get("x-robots-tag")).toBe("noindex");
    }
  });

  test("uses the reader's language, and the other one after one click without scripts", async () => {
    const client = server.client();
    for (const [accepted, language, other] of [
      ["en-GB,en;q=0.9", "en", "mn"],
      ["mn-MN,mn;q=0.9,en;q=0.8", "mn", "en"],
    ] as const) {
      for (const path of [paths.verify(code), "/verify/MM-00000000", paths.verifyForm]) {
        const page = await client.send("GET", path, undefined, { "Accept-Language": accepted });
        const [open = "", folded = ""] = page.text.slice(page.text.indexOf("<main")).split("<details");
        const [mine, theirs] = [
          translateText(language, "verify.form.label"),
          translateText(other, "verify.form.label"),
        ];
        expect([
          path,
          visibleText(page.text).includes(mine),
          visibleText(page.text).includes(theirs),
        ]).toEqual([path, true, false]);
        expect([path, page.text.includes(`<html lang="${language}"`)]).toEqual([path, true]);
        expect(visibleText(folded)).toContain(translateText(other, "verify.inThisLanguage"));
        if (path !== paths.verify(code)) continue;
        expect(visibleText(open)).toContain(translateText(language, "verify.state.confirmed"));
        expect(visibleText(open)).not.toContain(translateText(other, "verify.state.confirmed"));
        expect(visibleText(folded)).toContain(translateText(other, "verify.state.confirmed"));
      }
    }
  });

  test("tells its parties that it is theirs, what the buyer pays, and where the room is", async () => {
    for (const party of [paid.seller, paid.buyer]) {
      const page = expectStatus(await party.get(paths.verify(code)), 200);
      expect(page.text).toContain("110,000 ₮");
      expect(page.text).toContain(`href="/chat/${paid.roomId}"`);
    }
  });

  test("tells a signed-in person that a code is of none of their transactions, and a visitor nothing of the kind", async () => {
    const [none, where] = [translateText("en", "verify.own.none"), paths.verify(code)];
    const tells = async (who: Pick<Person, "get">) =>
      visibleText(expectStatus(await who.get(where), 200).text).includes(none);
    expect(await Promise.all([third, paid.buyer, paid.seller, server.client()].map(tells))).toEqual([
      true,
      false,
      false,
      false,
    ]);
    expect(visibleText((await third.get("/verify/MM-00000000")).text)).not.toContain(none);
  });

  test("says that nothing is held while nothing is paid", async () => {
    const said = visibleText(
      expectStatus(await server.client().get(paths.verify(await codeOf(asked))), 200).text,
    );
    for (const language of supportedLanguages)
      expect(said).toContain(translateText(language, "verify.state.waiting"));
    expect(said).not.toContain(translateText("en", "verify.state.confirmed"));
  });

  test("redirects every spelling to the canonical one", async () => {
    const plain = code.slice(3);
    const spelt = [
      `/verify/${code.toLowerCase()}`,
      `/verify/${plain}`,
      `/verify?code=+${plain.toLowerCase()}+`,
    ];
    for (const path of [
      ...spelt,
      `/verify?code=${encodeURIComponent(`мм – ${plain}`)}`,
      `/verify?code=${code}`,
    ]) {
      const answer = await server.client().get(path);
      expect([path, answer.status, answer.headers.get("location")]).toEqual([path, 303, `/verify/${code}`]);
    }
  });

  test("of a missing code: 404, and a warning of fraud, in both languages", async () => {
    for (const path of [
      "/verify/MM-00000000",
      "/verify/x",
      "/verify?code=MM-00000000",
      `/verify/${"9".repeat(300)}`,
    ]) {
      const page = await server.client().get(path);
      expect([path, page.status]).toEqual([path, 404]);
      const said = visibleText(page.text);
      for (const language of supportedLanguages) {
        expect(said).toContain(translateText(language, "verify.unknown.title"));
        expect(said).toContain(translateText(language, "verify.unknown.hint"));
      }
    }
    const page = await server.client().get(`/verify/${encodeURIComponent('"><script>alert(1)</script>')}`);
    expect([page.status, page.text.includes("<script>alert")]).toEqual([404, false]);
  });

  test("has a form without scripts, at /verify alone too", async () => {
    const page = expectStatus(await server.client().get("/verify"), 200);
    expect(page.text).toMatch(/<form[^>]* action="\/verify"/);
    expect(page.text).toMatch(/name="code"/);
    expectStatus(await server.client().get("/verify?code="), 200);
  });

  test("refuses people who ask too often, and says for how long", async () => {
    const slow = await startServer({ environment: { THROTTLE_FACTOR: "1" } });
    try {
      let last = await slow.client().get("/verify/MM-00000000");
      for (let n = 0; n < 70 && last.status === 404; n++)
        last = await slow.client().get("/verify/MM-00000000");
      expect(last.status).toBe(429);
      expect(Number(last.headers.get("retry-after"))).toBeGreaterThan(0);
      expectStatus(await slow.client().get("/verify"), 200);
    } finally {
      await slow.stop();
    }
  }, 60_000);
});

describe("/transactions/{id}", () => {
  test("shows its parties the code, the start, the steps, the amounts, the exchange and the conversation", async () => {
    expectStatus(await paid.seller.post(`/api/transactions/${paid.id}/bank-info`, bankInfo), 200, 201);
    expectStatus(
      await paid.buyer.post(`/api/chat/rooms/${paid.roomId}/messages`, { content: "Is it level 60?" }),
      201,
    );
    const said = visibleText(expectStatus(await paid.buyer.get(paths.transaction(paid.id)), 200).text);
    const { createdAt } = expectStatus(await paid.buyer.get(`/api/transactions/${paid.id}`), 200).body;
    // visibleText() writes each space as a plain one.
    const day = formatLongDay(String(createdAt), "en").replaceAll("\u00a0", " ");
    for (const part of [code, `Started ${day}`, "In progress", "Is it level 60?", "100,000 ₮", "110,000 ₮"]) {
      expect(said).toContain(part);
    }
    expect(said).toContain("Bat Erdene");
    // The steps that are done have a time; those to come are named, as in the room.
    for (const step of ["agreed", "paid", "held", "handedOver", "confirmed", "paidOut"])
      expect(said).toContain(translateText("en", `line.${step}`));
    expect(said).toContain(translateText("en", "transaction.times"));
    expect(said).toContain("Not provided yet");
  });

  test("is headed by the other person and the item, above its code, also once the room is deleted", async () => {
    const over = await requestPayment(server);
    const admin = await signInAdministrator(server);
    const overCode = await codeOf(over);
    for (const deletes of [false, true]) {
      if (deletes) {
        expectStatus(await admin.post(`/api/admin/transactions/${over.id}/cancel`), 200);
        expectStatus(await over.seller.delete(`/api/chat/rooms/${over.roomId}`), 200);
      }
      for (const [who, other] of [
        [over.buyer, "Seller One"],
        [over.seller, "Buyer Two"],
      ] as const) {
        const { text } = expectStatus(await who.get(paths.transaction(over.id)), 200);
        const heading = `${other} · A game account`;
        expect(/<h1[^>]*>([^<]*)</.exec(text)?.[1]).toBe(heading);
        expect(text).toContain(`<title>${heading} · ${overCode}</title>`);
        expect(visibleText(text.split("</h1>")[1] ?? "")).toMatch(
          new RegExp(`^\\s*Account, level 60\\s+${overCode}\\s+·\\s+Started `),
        );
      }
    }
  }, 30_000);

  test("before the payment leads to the QR code, and has no details", async () => {
    const page = expectStatus(await asked.buyer.get(paths.transaction(asked.id)), 200);
    expect(page.text).toContain(`href="/chat/${asked.roomId}/trade"`);
    expect(visibleText(page.text)).toContain("Not provided yet");
  });

  test("accepts a message, and returns an invalid one", async () => {
    const path = paths.transaction(paid.id);
    const clientId = crypto.randomUUID();
    const sent = await postForm(paid.seller, path, { form: "message", content: "Level 60, yes", clientId });
    expect([sent.status, sent.headers.get("location")]).toEqual([303, path]);
    expectStatus(
      await postForm(paid.seller, path, { form: "message", content: "Level 60, yes", clientId }),
      303,
    );
    const { text } = expectStatus(await paid.buyer.get(path), 200);
    // Its menu is named by its first words as well.
    const shown = text.replaceAll(/<[^>]*>/g, "");
    expect(shown.split("Level 60, yes").length).toBe(2);
    const blank = await postForm(paid.seller, path, { form: "message", content: "  ", clientId });
    expect(blank.status).toBe(422);
    const long = "x".repeat(4_001);
    const kept = await postForm(paid.seller, path, { form: "message", content: long, clientId });
    expect([kept.status, kept.text.includes(long)]).toEqual([422, true]);
  });

  test("asks a visitor to sign in, and tells others that it may not exist", async () => {
    const visitor = await server.client().get(paths.transaction(paid.id));
    expect([visitor.status, visibleText(visitor.text).includes("Authentication Required")]).toEqual([
      401,
      true,
    ]);
    const words = translateText("en", "transaction.loadFailed");
    expect(words).toBe(
      "Failed to load transaction. The transaction may not exist or you don't have permission to view it.",
    );
    for (const path of [paths.transaction(paid.id), paths.transaction(999_999)]) {
      const page = await third.get(path);
      expect([path, page.status, visibleText(page.text).includes(words)]).toEqual([path, 404, true]);
      expect(page.text).toContain('href="/history"');
      expect((await postForm(third, path, { form: "message", content: "Hello" })).status).toBe(404);
    }
    for (const path of ["/transactions/x", "/transactions/0", "/transactions/1e3"]) {
      expect((await paid.buyer.get(path)).status).toBe(404);
    }
  });

  test("stays readable after its end and its room's deletion, and accepts no more messages", async () => {
    const over = await requestPayment(server);
    const admin = await signInAdministrator(server);
    expectStatus(
      await over.buyer.post(`/api/chat/rooms/${over.roomId}/messages`, { content: "Said before" }),
      201,
    );
    expectStatus(await admin.post(`/api/admin/transactions/${over.id}/cancel`), 200);
    expectStatus(await over.seller.delete(`/api/chat/rooms/${over.roomId}`), 200);
    const page = expectStatus(await over.buyer.get(paths.transaction(over.id)), 200);
    const said = visibleText(page.text);
    expect(said).toContain("Said before");
    expect(said).toContain("Cancelled");
    expect(said).toContain(translateText("en", "transaction.roomGone"));
    expect(page.text).not.toContain('name="content"');
    expect(page.text).not.toContain(`href="/chat/${over.roomId}`);
  }, 30_000);
});

test("the history links to each transaction's page, with its day", async () => {
  const page = expectStatus(await paid.seller.get(paths.history), 200);
  expect(page.text).toContain(`href="/transactions/${paid.id}"`);
  expect(visibleText(page.text)).toMatch(/\d{1,2} [A-Z][a-z]+ \d{4}/);
});
