import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import type { Body, Client, Reply } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import { type SharedServer, sharedServer } from "../support/server/shared-server.ts";
import { requestPayment, type ServerTrade } from "../support/trades/server-trades.ts";
import { countWrittenRows } from "../support/trades/trade-books.ts";

/** The support page, its form without a script, its API twin, and the history of transactions. */

let server: SharedServer;
let deal: ServerTrade;
let third: Person;

beforeAll(async () => {
  server = await sharedServer();
  connectDatabase(server.databaseUrl);
  [deal, third] = await Promise.all([requestPayment(server), registerPerson(server, "Third One")]);
}, 240_000);

afterAll(() => disconnectDatabase());

const form = { "Content-Type": "application/x-www-form-urlencoded" };
const asked = {
  topic: "payment",
  name: "Dorj",
  email: "dorj@example.mn",
  message: "My payment is not confirmed.",
};

function post(who: Client, fields: Record<string, string>): Promise<Reply> {
  return who.send("POST", "/support?", new URLSearchParams(fields).toString(), form);
}

/** The value of a field as the page holds it. */
function value(page: string, name: string): string | undefined {
  const field = new RegExp(`<(?:input|textarea)[^>]* name="${name}"[^>]*>([^<]*)`).exec(page);
  return /value="([^"]*)"/.exec(field?.[0] ?? "")?.[1] ?? field?.[1];
}

const codeOf = async ({ buyer, id }: ServerTrade): Promise<string> =>
  String(expectStatus(await buyer.get(`/api/transactions/${id}`), 200).body.transactionCode);

/** The mails in the development mailbox whose text names a request's number. */
async function mailsAbout(number: string, wanted = 2): Promise<Body[]> {
  for (const from = Date.now(); Date.now() - from < 20_000; await Bun.sleep(100)) {
    const { list } = await server.client().get("/sandbox/mail.json");
    const found = list.filter(({ text }) => String(text).includes(number));
    if (found.length >= wanted) return found;
  }
  throw new Error(`no ${wanted} mails about ${number}`);
}

describe("the page", () => {
  test("has the contacts as links, marked as examples, the hours and both help sections", async () => {
    const { text } = expectStatus(await server.client().get("/support"), 200);
    for (const href of [
      "mailto:support@midman.example",
      "tel:+97677000000",
      "https://facebook.example/midman",
    ])
      expect(text).toContain(`href="${href}"`);
    expect(text.match(/data-contact="/g)?.length).toBe(4);
    expect(text).toContain("Email replies take 24–48 hours.");
    expect(text).toMatch(/Still not confirmed after 5 minutes\?/);
    expect(text.match(/9:00–18:00/g)?.length).toBe(5);
    expect(text.match(/aria-current="date"/g)?.length).toBe(1);
    expect(text).toMatch(/data-open="(true|false)"/);
    expect(text).not.toMatch(/support\.\w+\.|history\.|validation\./);
  });

  test("takes the code and the topic from its address, and ignores invalid ones", async () => {
    const { text } = await server.client().get("/support?code=mm-7k2q9xab&topic=dispute");
    expect(value(text, "code")).toBe("MM-7K2Q9XAB");
    expect(text).toMatch(/<option value="dispute" selected/);
    const odd = await server.client().get("/support?code=%22%3E%3Cscript%3E&topic=%00&sent=x");
    expect(odd.status).toBe(200);
    expect(value(odd.text, "code")).toBe("");
  });

  test("offers signed-in people their own transactions, and only their own name", async () => {
    const code = await codeOf(deal);
    const page = (await deal.buyer.get("/support")).text;
    expect(page).toContain(`<option value="${code}"`);
    expect(page).toContain(deal.buyer.email);
    expect(page).not.toContain('name="email"');
    expect((await third.get("/support")).text).not.toContain(code);
  });
});

describe("the form without scripts", () => {
  test("sent empty returns with a message at each field", async () => {
    const before = await countWrittenRows();
    const { status, text } = await post(server.client(), {
      topic: "",
      code: "",
      name: "",
      email: "",
      message: "",
    });
    expect(status).toBe(422);
    for (const message of [
      "Please choose a topic",
      "Please enter your name",
      "Please enter a valid email address.",
      "Please write at least 10 characters",
    ])
      expect(text).toContain(message);
    expect(text.match(/aria-invalid="true"/g)?.length).toBe(4);
    expect(await countWrittenRows()).toEqual(before);
  });

  test("sent with errors keeps the input", async () => {
    const clientId = crypto.randomUUID();
    const wrong = { ...asked, code: "MM-1", email: "dorj@", message: "short", clientId };
    const { status, text } = await post(server.client(), wrong);
    expect(status).toBe(422);
    expect(text).toContain("Enter a transaction code like MM-7K2Q9XAB");
    expect(["code", "name", "email", "message", "clientId"].map((name) => value(text, name))).toEqual([
      "MM-1",
      "Dorj",
      "dorj@",
      "short",
      clientId,
    ]);
    expect(text).toMatch(/<option value="payment" selected/);
  });

  test("sent correctly leads to a page with the number and what happens next; twice it is one request", async () => {
    const visitor = server.client();
    const clientId = value((await visitor.get("/support")).text, "clientId") ?? "";
    expect(clientId).toMatch(/^[0-9a-f-]{36}$/);
    const sent = await Promise.all([1, 2].map(() => post(visitor, { ...asked, clientId, website: "" })));
    sent.push(await post(visitor, { ...asked, clientId, website: "" }));
    expect(sent.map(({ status }) => status)).toEqual([303, 303, 303]);
    const places = new Set(sent.map(({ headers }) => headers.get("location")));
    expect(places.size).toBe(1);
    const page = await visitor.get(String([...places][0]).split("#")[0] ?? "");
    expect(page.text).toContain("Your request was sent");
    expect(page.text).toMatch(/data-number="true"[^>]*>SR-[0-9A-Z]{8}</);
    expect(page.text).toContain("We&#x27;ll reply to dorj@example.mn within 24–48 hours.");
    expect(page.text).not.toContain("<textarea");
    const number = /SR-[0-9A-Z]{8}/.exec(page.text)?.[0] ?? "";
    const mails = await mailsAbout(number);
    expect(mails.map(({ to }) => to).sort()).toEqual(["dorj@example.mn", "support@midman.example"]);
  });

  test("of a party brings the transaction to support; of a stranger only their text", async () => {
    const code = await codeOf(deal);
    for (const [who, owns] of [
      [deal.seller, true],
      [third, false],
    ] as const) {
      const { headers, status } = await post(who, {
        topic: "dispute",
        code,
        message: "Please look at this.",
      });
      expect(status).toBe(303);
      const page = await who.get(String(headers.get("location")).split("#")[0] ?? "");
      expect(page.text).toContain(`We&#x27;ll reply to ${who.email}`);
      const mails = await mailsAbout(/SR-[0-9A-Z]{8}/.exec(page.text)?.[0] ?? "");
      const request = mails.find(({ to }) => to === "support@midman.example");
      expect(request?.subject).toContain(owns ? `Маргаан, ${code}` : `${code} (нотлогдоогүй)`);
      expect(String(request?.text).includes(`/admin/transactions/${deal.id}`)).toBe(owns);
    }
  });

  test("with the hidden field filled in gets the same reply, is stored, and mailed to nobody", async () => {
    const trapped = await post(server.client(), {
      ...asked,
      email: "bot@example.mn",
      website: "http://x.example",
    });
    expect(trapped.status).toBe(303);
    const [row] = await db().execute<{ suspect: boolean; number: string }>(
      sql`SELECT suspect, number FROM escrow.support_requests WHERE email = 'bot@example.mn'`,
    );
    expect(row?.suspect).toBe(true);
    await Bun.sleep(1_500);
    const { list } = await server.client().get("/sandbox/mail.json");
    expect(list.filter(({ text }) => String(text).includes(row?.number ?? "?"))).toEqual([]);
  });

  test("is refused from another site, and without the receipt's token", async () => {
    const evil = { ...form, Origin: "https://evil.example" };
    const reply = await third.send("POST", "/support", new URLSearchParams(asked).toString(), evil);
    expect(reply.status).toBe(403);
    const { headers } = await post(deal.seller, { topic: "other", message: "Only mine to look at." });
    const place = String(headers.get("location")).split("#")[0] ?? "";
    expect((await deal.seller.get(place)).text).toContain("data-number");
    expect((await third.get(place)).text).not.toContain("data-number");
    expect((await server.client().get(place)).text).not.toContain("data-number");
  });
});

describe("POST /api/support", () => {
  test("returns a number, and the same one for the same form", async () => {
    const body = { ...asked, clientId: crypto.randomUUID() };
    const first = expectStatus(await server.client().post("/api/support", body), 201).body;
    expect(first).toEqual({ success: true, number: expect.stringMatching(/^SR-[0-9A-Z]{8}$/) } as never);
    expect(expectStatus(await server.client().post("/api/support", body), 200).body).toEqual(first);
  });

  test("identifies a signed-in person by their account", async () => {
    const code = await codeOf(deal);
    const { body } = expectStatus(
      await deal.buyer.post("/api/support", { topic: "other", code, message: "A question here." }),
      201,
    );
    const [row] = await db().execute<{ user_id: string; trade_id: string; email: string | null }>(
      sql`SELECT user_id, trade_id, email FROM escrow.support_requests WHERE number = ${String(body.number)}`,
    );
    expect([Number(row?.user_id), Number(row?.trade_id), row?.email]).toEqual([deal.buyer.id, deal.id, null]);
  });

  test("replies the same for the code of somebody else's trade as for one that does not exist", async () => {
    const code = await codeOf(deal);
    const told = [];
    for (const of of [code, "MM-00000000"]) {
      const { status, body } = await third.post("/api/support", {
        ...asked,
        code: of,
        message: `About ${of}.`,
      });
      told.push([status, Object.keys(body)]);
    }
    expect(told[0]).toEqual(told[1]);
  });

  test("refuses each invalid field with its message, in the reader's language", async () => {
    const before = await countWrittenRows();
    for (const [field, bad, message] of [
      ["topic", "money", "Please choose a topic"],
      ["code", "MM-1", "Enter a transaction code like MM-7K2Q9XAB"],
      ["name", "a\r\nBcc: b@example.mn", "This text has characters you can't use here"],
      ["email", "a@example.mn\nBcc: b@example.mn", "Please enter a valid email address."],
      ["message", "too short", "Please write at least 10 characters"],
      ["message", "x".repeat(4_001), "This text is too long"],
      ["clientId", "1", "Enter a valid number"],
    ] as const) {
      const { status, body } = await server.client().post("/api/support", { ...asked, [field]: bad });
      expect([field, status, body.code]).toEqual([field, 422, "VALIDATION"]);
      if (field !== "email") expect(body.fields).toEqual({ [field]: [message] });
      expect(Object.keys(body.fields)).toEqual([field]);
    }
    const nobody = await server.client().post("/api/support", { topic: "other", message: asked.message });
    expect([nobody.status, Object.keys(nobody.body.fields)]).toEqual([422, ["name", "email"]]);
    const mongolian = server.client({ "Accept-Language": "mn" });
    expect((await mongolian.post("/api/support", { ...asked, topic: "x" })).body.fields.topic).toEqual([
      "Сэдвээ сонгоно уу",
    ]);
    expect(await countWrittenRows()).toEqual(before);
  });
});

describe("throttling", () => {
  let strict: Server;
  beforeAll(async () => {
    strict = await startServer({ environment: { THROTTLE_FACTOR: "1" } });
  }, 240_000);
  afterAll(async () => strict?.stop());

  test("says when to return, on the page with the input and in the API with Retry-After", async () => {
    for (let at = 0; at < 5; at++) {
      const message = `Request number ${at} of mine.`;
      expectStatus(await strict.client().post("/api/support", { ...asked, message }), 201);
    }
    const call = await strict.client().post("/api/support", asked);
    expect([call.status, call.body.code]).toEqual([429, "THROTTLED"]);
    expect(Number(call.headers.get("retry-after"))).toBeGreaterThan(60);
    const page = await post(strict.client(), asked);
    expect(page.status).toBe(429);
    expect(value(page.text, "message")).toBe(asked.message);
    expect(page.text).toMatch(/role="alert"/);
  });
});

describe("the history", () => {
  test("asks a visitor to sign in, on the page itself, and returns to it", async () => {
    const { status, text } = await server.client().get("/history?before=5");
    expect(status).toBe(401);
    expect(text).toContain("Authentication Required");
    expect(text).toContain(`/?next=${encodeURIComponent("/history?before=5")}`);
  });

  test("without transactions has the agreed text", async () => {
    const { text } = expectStatus(await third.get("/history"), 200);
    expect(text).toContain("Transaction History");
    expect(text).toContain("No transactions found. Start a new transaction to get started.");
  });

  test("shows code, day, what each side pays or gets, role, status and a link, in both languages", async () => {
    const code = await codeOf(deal);
    const { text } = expectStatus(await deal.buyer.get("/history"), 200);
    const parts = [code, "You pay", "110,000\u00a0₮", "Buyer", "Waiting for payment"];
    for (const part of [...parts, `href="/transactions/${deal.id}"`]) expect(text).toContain(part);
    expect(text).toMatch(/<time[^>]* title="[^"]*\d{1,2}\u00a0[A-Z][a-z]+\u00a020\d\d[^"]*"[^>]*>/);
    expect(text).toContain('data-money="waiting"');
    const item = "A game account · Account, level 60";
    expect(text).toContain(`aria-label="Seller One, ${item}, ${code}"`);
    for (const shown of [">Seller One<", `>${item}<`, `>${code}<`]) expect(text).toContain(shown);
    expect(text).not.toContain("Older transactions");
    const headers = { "Accept-Language": "mn", Cookie: `${deal.seller.cookies()}; midman-language=mn` };
    const mongolian = await deal.seller.send("GET", "/history", undefined, headers);
    expect(mongolian.text).toMatch(/<time[^>]* title="20\d\d\u00a0оны\u00a0\d{1,2}\u2011р\u00a0сарын/);
    for (const part of ["Таны авах дүн", "100,000\u00a0₮"]) expect(mongolian.text).toContain(part);
    expect((await third.get("/history")).text).not.toContain(code);
  });

  test("pages by fifty, newest first, each row once", async () => {
    const mine = await registerPerson(server, "Many Trades");
    await db().execute(sql`
      INSERT INTO escrow.trades (code, room_id, buyer_id, seller_id, amount, fee, fee_payer, fee_policy, gross, net, status,
        created_at, updated_at)
      SELECT 'MM-' || lpad(n::text, 8, '0'), 900000 + n, ${mine.id}, ${third.id}, 10000, 5000, 'buyer', 'standard', 15000, 10000,
        'initiated', now(), now()
      FROM generate_series(1, 101) AS n`);
    const codes: string[] = [];
    let place = "/history";
    for (let page = 0; page < 3; page++) {
      const { text } = expectStatus(await mine.get(place), 200);
      const found = [...text.matchAll(/data-code="([^"]+)"/g)].map(([, code]) => code ?? "");
      expect(found.length).toBe(page < 2 ? 50 : 1);
      codes.push(...found);
      place = `/history${/href="(?:\/history)?(\?before=\d+)"/.exec(text)?.[1] ?? "?before=none"}`;
    }
    expect(codes).toEqual([...codes].sort().reverse());
    expect(new Set(codes).size).toBe(101);
  });
});
