import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { connect, disconnect } from "../../db/client.ts";
import { faults } from "../support/books.ts";
import type { Client } from "../support/client.ts";
import { type Deal, settlingDeal, untilStatus } from "../support/deal.ts";
import { tablesWith } from "../support/everything.ts";
import { must, type Person, register, signInAdministrator } from "../support/people.ts";
import { type Server, startServer } from "../support/server.ts";

/** What a person may ask of their own data: to have it, and to have it gone. */

let server: Server;
let admin: Client;
let deal: Deal;
const phone = "99887766";
const account = "5099887766";
const said = "I send you the password now";

beforeAll(async () => {
  server = await startServer();
  connect(server.databaseUrl);
  admin = await signInAdministrator(server);
  deal = await settlingDeal(server);
  must(
    await deal.seller.patch("/api/users/profile", {
      phoneNumber: phone,
      bankAccount: account,
      language: "en",
    }),
    200,
  );
  must(await deal.seller.post(`/api/chat/rooms/${deal.roomId}/messages`, { content: said }), 201);
  must(await admin.post(`/api/admin/transactions/${deal.id}/settle`, { bankReference: "RIGHTS-1" }), 200);
  await untilStatus(deal, "completed");
}, 240_000);

afterAll(async () => {
  await disconnect();
  await server?.stop();
});

/** Every table that holds one of these texts. The trial's mailbox holds other people's mails, whose words are theirs. */
async function holding(texts: readonly string[]): Promise<string[]> {
  return (await tablesWith(texts)).filter((table) => table !== "mailer.mailbox");
}

const ways = ({ username, email }: Person) => [username, email, phone, account];

describe("one's own data", () => {
  test("comes whole and is of nobody else", async () => {
    const { text, body, headers } = must(await deal.seller.get("/api/users/me/data"), 200);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="midman-data-/);
    expect(headers.get("cache-control")).toBe("no-store");
    for (const own of [...ways(deal.seller), said, "5012345678", "MM-"]) expect(text).toContain(own);
    for (const foreign of [deal.buyer.username, deal.buyer.email]) expect(text).not.toContain(foreign);
    expect(Object.keys(body)).toEqual(
      expect.arrayContaining([
        "profile",
        "consents",
        "sessions",
        "transactions",
        "rooms",
        "messages",
        "activity",
      ]),
    );
  });
});

describe("an account that is deleted", () => {
  test("leaves nothing by which its person is reached or named; the trade, the books and the log stay whole", async () => {
    const { seller, buyer, id, roomId } = deal;
    expect((await holding(ways(seller))).length).toBeGreaterThan(1);
    const going = { password: seller.password, confirmation: seller.username };
    must(await seller.send("DELETE", "/api/users/me", going), 200);
    expect(await holding(ways(seller))).toEqual([]);
    expect((await seller.get("/api/auth/session")).body.isAuthenticated).toBe(false);
    expect((await seller.get(`/api/transactions/${id}`)).status).toBe(401);
    const left = must(await buyer.get(`/api/transactions/${id}`), 200);
    expect(left.body).toMatchObject({ id, status: "completed", amount: 100_000 });
    expect(left.text).not.toContain(seller.username);
    expect(must(await buyer.get(`/api/chat/rooms/${roomId}/messages`), 200).text).toContain(said);
    expect(await faults()).toEqual([]);
  });

  test("is not one while money is held, and frees its name and address after", async () => {
    const { seller } = deal;
    const again = await register(server, "Somebody New");
    expect(again.id).not.toBe(seller.id);
    const taken = { ...ways(seller) };
    const reply = await server.client().post("/api/auth/register", {
      ...{ username: taken[0], email: taken[1], password: "a wholly new one", displayName: "Somebody Else" },
      avatarInitials: "",
    });
    must(reply, 200, 201);
    const running = await settlingDeal(server);
    const going = { password: running.buyer.password, confirmation: running.buyer.username };
    const refused = await running.buyer.send("DELETE", "/api/users/me", going);
    expect([refused.status, refused.body.code]).toEqual([409, "MONEY_HELD"]);
  });
});
