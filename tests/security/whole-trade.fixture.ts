import { sql } from "drizzle-orm";
import { db } from "../../db/client.ts";
import { postAsShown } from "../support/backoffice/post-as-shown.ts";
import { expectStatus } from "../support/people/registered-people.ts";
import { codeOf, turnFactorOn } from "../support/people/second-factor.ts";
import type { Client } from "../support/server/http-client.ts";
import { type Server, testAdministrator } from "../support/server/midman-server.ts";
import { openRoomSocket } from "../support/server/room-sockets.ts";
import { readMailedToken } from "../support/services/mailed-token.ts";
import {
  bankInfo,
  buyerContact,
  payoutOf,
  requestPayment,
  type ServerTrade,
  untilStatus,
} from "../support/trades/server-trades.ts";

/** Runs something while a table cannot be found: a fault of ours, as requests meet one. */
export async function without<T>(table: string, run: () => Promise<T>): Promise<T> {
  const [schema = "", name = ""] = table.split(".");
  await db().execute(sql.raw(`ALTER TABLE ${table} RENAME TO ${name}_away`));
  try {
    return await run();
  } finally {
    await db().execute(sql.raw(`ALTER TABLE ${schema}.${name}_away RENAME TO ${name}`));
  }
}

/** Runs something while a table takes nothing more: a write that fails with all its values in hand. */
async function refusing<T>(table: string, run: () => Promise<T>): Promise<T> {
  await db().execute(sql.raw(`ALTER TABLE ${table} ADD CONSTRAINT closed CHECK (false) NOT VALID`));
  try {
    return await run();
  } finally {
    await db().execute(sql.raw(`ALTER TABLE ${table} DROP CONSTRAINT closed`));
  }
}

const unlucky = {
  ...{ username: "unlucky.one", password: "an unlucky word", displayName: "Unlucky Person" },
  ...{ email: "unlucky@example.mn", avatarInitials: "" },
};

const support = {
  topic: "other",
  name: "Unmistakable Person",
  email: "asking@example.mn",
  message: "unmistakable words of somebody who asks",
};

const word = (what: string) => `unmistakable ${what}`;

const account = {
  ...bankInfo,
  accountNumber: "5099887766",
  accountName: word("owner"),
  email: "payee.bat@example.mn",
};

const sealed = {
  login: word("login"),
  password: word("hand-over"),
  notes: word("note"),
  email: "vault.game@example.mn",
};

/** Everything that must be in no log, after a trade in which it was all used. */
export async function secretsOfAWholeTrade(server: Server, admin: Client): Promise<string[]> {
  const trade = await requestPayment(server);
  const line = await completeTrade(server, trade);
  const payout = `/api/admin/payouts/${await payoutOf(admin, trade)}`;
  expectStatus(await postAsShown(admin, `${payout}/approve`, {}), 200);
  expectStatus(await postAsShown(admin, `${payout}/send`, { bankReference: "TRF99887766" }), 200);
  line.end();
  const { browser, secrets: ofFactor } = await signInByFactor(server, trade);
  const ofReset = await resetPassword(server, trade);
  const callback = `${crypto.randomUUID().replaceAll("-", "")}12345678901`;
  await without("payments.invoices", () =>
    server.client().get(`/api/qpay/callback/${trade.invoiceId}/${callback}?qpay_payment_id=1`),
  );
  expectStatus(await server.client().post("/api/support", support), 200, 201);
  const { seller, buyer } = trade;
  const cookies = [seller, buyer, browser, admin].flatMap((who) =>
    who
      .cookies()
      .split("; ")
      .map((pair) => pair.slice(pair.indexOf("=") + 1)),
  );
  return [
    ...[seller.password, buyer.password, testAdministrator.password, callback, ...ofReset, ...ofFactor],
    ...cookies.filter((value) => value.length > 20),
    ...[seller.email, buyer.email, account.email, buyerContact.email, support.email],
    ...[seller.username, buyer.username],
    ...["95887766", "5011223344", "88665544", account.phoneNumber, account.accountNumber, "TRF99887766"],
    ...["unmistakable", "unlucky", "Unlucky Person"],
    ...[...Object.values(sealed), "argon2", "Seller One", "Buyer Two"],
  ];
}

/** Both parties write, pay and hand over, until both have confirmed; some of what they send cannot be written. Returns the buyer's open socket. */
async function completeTrade(server: Server, trade: ServerTrade) {
  const { seller, buyer, id, roomId } = trade;
  const at = `/api/transactions/${id}`;
  expectStatus(
    await buyer.patch("/api/users/profile", { phoneNumber: "95887766", bankAccount: "Khan 5011223344" }),
    200,
  );
  expectStatus(await buyer.post(`${at}/messages`, { content: word("message") }), 200, 201);
  const line = await openRoomSocket(buyer.cookies(), server.url, roomId, buyer.id);
  line.say({ type: "chat", payload: { content: word("frame"), type: "text" } });
  await buyer.post(`/sandbox/qpay/pay/${trade.invoiceId}`, { callback: true });
  await untilStatus(trade, "payment_confirmed");
  expectStatus(await seller.post(`${at}/bank-info`, { ...account, accountNumber: "1" }), 422);
  await refusing("escrow.details", async () =>
    expectStatus(await seller.post(`${at}/bank-info`, account), 500),
  );
  await refusing("rooms.messages", async () =>
    expectStatus(await buyer.post(`${at}/messages`, { content: word("refused message") }), 500),
  );
  await refusing("identity.users", async () =>
    expectStatus(await server.client().post("/api/auth/register", unlucky), 500),
  );
  await refusing("identity.sessions", async () =>
    expectStatus(await server.client().post("/api/auth/login", seller), 500),
  );
  expectStatus(await seller.post(`${at}/bank-info`, account), 200);
  expectStatus(await buyer.post(`${at}/bank-info`, { ...buyerContact, phoneNumber: "88665544" }), 200);
  expectStatus(await seller.post(`${at}/vault`, sealed), 200, 201);
  expectStatus(await buyer.post(`${at}/vault/open`), 200);
  expectStatus(await buyer.post(`${at}/complete`), 200);
  expectStatus(await seller.post(`${at}/complete`), 200);
  return line;
}

/** The buyer turns the second factor on and signs in with it, after the password typed as a username. */
async function signInByFactor(server: Server, { buyer }: ServerTrade) {
  const { secret, recovery } = await turnFactorOn(buyer);
  const code = await codeOf(secret, 0);
  expectStatus(
    await server.client().post("/api/auth/login", { username: buyer.password, password: buyer.password }),
    401,
    422,
  );
  const browser = server.client();
  expectStatus(await browser.post("/api/auth/login", buyer), 401);
  expectStatus(await browser.post("/api/auth/second-factor", { code }), 200);
  expectStatus(
    await browser.post("/api/auth/confirm-password", { password: buyer.password, code: recovery[0] }),
    200,
  );
  return { browser, secrets: [secret, code, ...recovery, ...recovery.map((one) => one.replaceAll("-", ""))] };
}

/** The seller forgets the password and sets a new one; the first try cannot be written. Returns the mailed token and the password. */
async function resetPassword(server: Server, { seller }: ServerTrade): Promise<string[]> {
  expectStatus(await server.client().post("/api/auth/forgot-password", { email: seller.email }), 200);
  const token = await readMailedToken(server, seller.email, "reset-password");
  const newPassword = "an entirely fresh word";
  await without("identity.tokens", async () =>
    expectStatus(await server.client().post("/api/auth/reset-password", { token, newPassword }), 500),
  );
  expectStatus(await server.client().post("/api/auth/reset-password", { token, newPassword }), 200);
  return [newPassword, token];
}
