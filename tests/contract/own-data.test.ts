import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { translateText } from "#locales";
import { connectDatabase, db, disconnectDatabase } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { acceptAlteredTransfers } from "../support/database/accept-altered.ts";
import { tablesWith } from "../support/database/all-rows.ts";
import { columnsOfPeople, personColumns } from "../support/database/person-columns.ts";
import { visibleText } from "../support/pages/visible-text.ts";
import { setRight } from "../support/people/administrator-rights.ts";
import {
  expectStatus,
  type Person,
  registerPerson,
  signInAdministrator,
} from "../support/people/registered-people.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, startServer } from "../support/server/midman-server.ts";
import {
  bankInfo,
  buyerContact,
  openPaidTrade,
  openSettlingTrade,
  payoutOf,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";
import { findBookFaults } from "../support/trades/trade-books.ts";

/** A person's own data: they can download it, and have it erased. */

let server: Server;
let admin: Client;
let deal: ServerTrade;
const phone = "99887766";
const account = "5099887766";
const said = "I send you the password now";
/** The seller's corrected account, where the money goes; `bankInfo` is the one before. */
const corrected = {
  ...bankInfo,
  accountNumber: "5066778899",
  phoneNumber: "95001122",
  email: "corrected@example.mn",
} as const;
const sellerShared = "my number is on the door of the third entrance";
const buyerShared = "mine is under the mat";
const gave = {
  seller: [bankInfo.phoneNumber, bankInfo.email, corrected.phoneNumber, corrected.email, sellerShared],
  buyer: [buyerContact.phoneNumber, buyerContact.email, buyerContact.accountName, buyerShared],
};

beforeAll(async () => {
  server = await startServer();
  connectDatabase(server.databaseUrl);
  admin = await signInAdministrator(server);
  deal = await openPaidTrade(server);
  const at = `/api/transactions/${deal.id}`;
  for (const account of [bankInfo, corrected]) {
    expectStatus(await deal.seller.post(`${at}/bank-info`, account), 200, 201);
  }
  expectStatus(await deal.buyer.post(`${at}/bank-info`, buyerContact), 200, 201);
  expectStatus(await deal.seller.post(`${at}/info-exchange`, { info: sellerShared }), 200, 201);
  expectStatus(await deal.buyer.post(`${at}/info-exchange`, { info: buyerShared }), 200, 201);
  expectStatus(
    await deal.seller.patch("/api/users/profile", {
      phoneNumber: phone,
      bankAccount: account,
      language: "en",
    }),
    200,
  );
  expectStatus(await deal.seller.post(`/api/chat/rooms/${deal.roomId}/messages`, { content: said }), 201);
  expectStatus(await deal.seller.post(`${at}/hand-over`, {}), 200, 201);
  expectStatus(await deal.buyer.post(`${at}/complete`), 200);
  expectStatus(await deal.seller.post(`${at}/complete`), 200);
  await untilStatus(deal, "settlement_pending");
  // A corrected account waits three hours and takes two administrators.
  await db().execute(
    sql`UPDATE payments.payouts SET corrected_at = corrected_at - interval '4 hours' WHERE reference = ${deal.id}`,
  );
  await acceptAlteredTransfers(deal.id);
  const second = await registerPerson(server, "Second Desk");
  await setRight(second.id, true);
  expectStatus(await postAsShown(second, `/api/admin/payouts/${await payoutOf(admin, deal)}/approve`), 200);
  expectStatus(
    await postAsShown(admin, `/api/admin/transactions/${deal.id}/settle`, { bankReference: "RIGHTS-1" }),
    200,
  );
  await untilStatus(deal, "completed");
}, 240_000);

afterAll(async () => {
  await disconnectDatabase();
  await server?.stop();
});

/** Every table that holds one of these texts. The trial's mailbox holds other people's mails, whose words are theirs. */
async function holding(texts: readonly string[]): Promise<string[]> {
  return (await tablesWith(texts)).filter((table) => table !== "mailer.mailbox");
}

async function leave(who: Person): Promise<void> {
  const going = { password: who.password, confirmation: who.username };
  expectStatus(await who.send("DELETE", "/api/users/me", going), 200);
}

const ways = ({ username, email }: Person) => [username, email, phone, account];

describe("one's own data", () => {
  test("is complete and has nothing of others", async () => {
    const { text: file, body, headers } = expectStatus(await deal.seller.get("/api/users/me/data"), 200);
    expect(headers.get("content-disposition")).toMatch(/^attachment; filename="midman-data-/);
    expect(headers.get("cache-control")).toBe("no-store");
    for (const own of [...ways(deal.seller), said, "5012345678", "MM-"]) expect(file).toContain(own);
    for (const own of gave.seller) expect(file).toContain(own);
    for (const foreign of gave.buyer) expect(file).not.toContain(foreign);
    for (const foreign of [deal.buyer.username, deal.buyer.email]) expect(file).not.toContain(foreign);
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

describe("every column about a person", () => {
  test("is listed with the part of their data that has it, or the reason why none does; a new one must be, too", async () => {
    expect((await columnsOfPeople()).sort()).toEqual(Object.keys(personColumns).sort());
    const { body } = expectStatus(await deal.seller.get("/api/users/me/data"), 200);
    const parts = Object.values(personColumns).flatMap((place) => ("part" in place ? place.part : []));
    expect(Object.keys(body)).toEqual(expect.arrayContaining(parts));
  });
});

describe("a deleted account", () => {
  test("leaves nothing that identifies its person; the trade, the ledger and the log stay intact", async () => {
    const { seller, buyer, id, roomId } = deal;
    expect((await holding(ways(seller))).length).toBeGreaterThan(1);
    expect((await holding(gave.seller)).length).toBeGreaterThan(1);
    await leave(seller);
    expect(await holding(ways(seller))).toEqual([]);
    expect(await holding([...gave.seller, bankInfo.accountNumber])).toEqual([]);
    expect(await holding([corrected.accountNumber])).toEqual(["payments.payouts"]);
    expect((await seller.get("/api/auth/session")).body.isAuthenticated).toBe(false);
    expect((await seller.get(`/api/transactions/${id}`)).status).toBe(401);
    const left = expectStatus(await buyer.get(`/api/transactions/${id}`), 200);
    expect(left.body).toMatchObject({ id, status: "completed", amount: 100_000 });
    expect(left.text).not.toContain(seller.username);
    expect(left.body.infoExchange).toMatchObject({ sellerInfo: null, sellerInfoErased: true });
    for (const [reader, page] of [
      [buyer, `/transactions/${id}`],
      [buyer, `/chat/${roomId}`],
      [admin, `/admin/transactions/${id}`],
    ] as const) {
      expect(visibleText(expectStatus(await reader.get(page), 200).text)).toContain(
        translateText("en", "info.erased"),
      );
    }
    expect(expectStatus(await buyer.get(`/api/chat/rooms/${roomId}/messages`), 200).text).toContain(said);
    await leave(buyer);
    expect(await holding([...ways(buyer).slice(0, 2), ...gave.buyer])).toEqual([]);
    expect(await findBookFaults()).toEqual([]);
  });

  test("is refused while money is held, and then frees its name and address", async () => {
    const { seller } = deal;
    const again = await registerPerson(server, "Somebody New");
    expect(again.id).not.toBe(seller.id);
    const taken = { ...ways(seller) };
    const reply = await server.client().post("/api/auth/register", {
      ...{ username: taken[0], email: taken[1], password: "a wholly new one", displayName: "Somebody Else" },
      avatarInitials: "",
    });
    expectStatus(reply, 200, 201);
    const running = await openSettlingTrade(server);
    const going = { password: running.buyer.password, confirmation: running.buyer.username };
    const refused = await running.buyer.send("DELETE", "/api/users/me", going);
    expect([refused.status, refused.body.code]).toEqual([409, "MONEY_HELD"]);
  });
});
