import { consentVersions } from "#forms/identity";
import { openClient } from "../../db/client.ts";
import { expectStatus, type Person, registerPerson } from "../support/people/registered-people.ts";
import { beginCodeLogin, codeOf, turnFactorOn } from "../support/people/second-factor.ts";
import { type Client, createHttpClient } from "../support/server/http-client.ts";
import { requestPayment, type ServerTrade, untilStatus } from "../support/trades/server-trades.ts";
import type { Day } from "./day.ts";

/**
 * The people who use the installed Midman, through its public address only. They also use the older release, so nothing here may depend on the new
 * one.
 */

/** A paid trade with its parties, the messages that must stay in its room, and the number of messages there when it was paid. */
export type PaidTrade = { deal: ServerTrade; said: string[]; messages: number };

const door = ({ site }: Day) => ({ client: () => createHttpClient(site) });

/** Two people meet in a room, talk, and the buyer pays at the bank; the provider calls back at the public address. */
export async function tradeAndPay(day: Day): Promise<PaidTrade> {
  const [seller, buyer] = [
    await registerPerson(door(day), "Bat Erdene"),
    await registerPerson(door(day), "Dorj Bold"),
  ];
  const deal = await requestPayment(door(day), { seller, buyer });
  const said = ["Сайн байна уу", "Level 60, with its mail"];
  for (const content of said) await postMessage(deal, content);
  expectStatus(
    await createHttpClient(day.bank.url).post(`/sandbox/qpay/pay/${deal.invoiceId}`, { callback: false }),
    200,
  );
  await callBack(day, deal.invoiceId);
  await untilStatus(deal, "payment_confirmed");
  return { deal, said, messages: (await messagesOf(deal)).length };
}

/** The provider's callback, to the address that it was given with the invoice. */
async function callBack({ bank, site }: Day, invoiceId: string): Promise<void> {
  const sql = openClient(bank.databaseUrl, { max: 1 });
  const [row] = await sql`
    SELECT callback_url AS url FROM sandbox.invoices ORDER BY created_at DESC LIMIT 1`.finally(() =>
    sql.end(),
  );
  const url = String(row?.url);
  if (!url.startsWith(`${site}/`)) throw new Error(`the provider was given ${url} for ${invoiceId}`);
  const reply = await fetch(`${url}${url.includes("?") ? "&" : "?"}qpay_payment_id=1`);
  const text = await reply.text();
  if (text.trim() !== "SUCCESS") throw new Error(`the callback answered ${reply.status} ${text}`);
}

/** Posts a message in the room of a trade; throws unless it is accepted. */
export async function postMessage(
  { buyer, roomId }: Pick<ServerTrade, "buyer" | "roomId">,
  content: string,
): Promise<void> {
  const message = { content, clientId: crypto.randomUUID() };
  expectStatus(await buyer.post(`/api/chat/rooms/${roomId}/messages`, message), 201);
}

type Line = { seq: number; content?: unknown };

/** All messages of the room, oldest first. */
export async function messagesOf({
  buyer,
  roomId,
}: Pick<ServerTrade, "buyer" | "roomId">): Promise<string[]> {
  const all: Line[] = [];
  for (;;) {
    const after = all.at(-1)?.seq ?? 0;
    const { body, list } = expectStatus(
      await buyer.get(`/api/chat/rooms/${roomId}/messages?after=${after}`),
      200,
    );
    const page = (list.length > 0 ? list : (body.messages ?? [])) as unknown as Line[];
    all.push(...page);
    if (page.length === 0) return all.map(({ content }) => String(content));
  }
}

/** Throws unless the trade is still paid and its room has every message in `said`. */
export async function requireTradeIntact({ deal, said }: PaidTrade): Promise<void> {
  await untilStatus(deal, "payment_confirmed", 5);
  const there = await messagesOf(deal);
  const lost = said.filter((words) => !there.includes(words));
  if (lost.length > 0) throw new Error(`the room has lost ${lost.join(", ")}`);
}

/** Signs in both parties of a trade again, as needed after a restore. */
export async function signInAgain(day: Day, kept: PaidTrade): Promise<PaidTrade> {
  const again = async (person: Person): Promise<Person> => {
    const browser = createHttpClient(day.site);
    const { username, password } = person;
    expectStatus(await browser.post("/api/auth/login", { username, password }), 200);
    await agree(browser);
    return { ...person, ...browser };
  };
  const [seller, buyer] = [await again(kept.deal.seller), await again(kept.deal.buyer)];
  return { ...kept, deal: { ...kept.deal, seller, buyer } };
}

/** The administrator's first day: the one-time password, one of their own, and a second factor. */
export async function firstSignIn(day: Day, oneTime: string): Promise<void> {
  const browser = createHttpClient(day.site);
  expectStatus(await browser.post("/api/admin/login", { username: "admin", password: oneTime }), 200);
  const password = `own ${crypto.randomUUID()}`;
  const change = { currentPassword: oneTime, newPassword: password };
  expectStatus(await browser.post("/api/auth/change-password", change), 200);
  await agree(browser);
  const { secret } = await turnFactorOn(browser);
  day.admin = { username: "admin", password, secret, used: Math.floor(Date.now() / 30_000) };
}

/** Agrees to the documents in force; an older release does not ask. */
async function agree(browser: Client): Promise<void> {
  expectStatus(await browser.post("/api/auth/agree", consentVersions), 200, 404);
}

/** Has both parties of a trade agree to the documents of a newer release, which asks for it at their next step. */
export async function agreeAgain({ deal }: PaidTrade): Promise<void> {
  await agree(deal.seller);
  await agree(deal.buyer);
}

/** Signs the administrator in with password and code, which needs the secret sealed by ENCRYPTION_KEY. */
export async function requireFactorOpens(day: Day): Promise<void> {
  if (day.admin === undefined) throw new Error("there is no administrator with a second factor");
  const { secret, ...known } = day.admin;
  const browser = await beginCodeLogin(createHttpClient(day.site), known);
  // No code is taken twice, and none that is more than a step ahead.
  const step = () => Math.floor(Date.now() / 30_000);
  while (Date.now() % 30_000 > 24_000) await Bun.sleep(200); // as codeOf waits, and would mean another step then
  day.admin.used = Math.max(day.admin.used + 1, step() - 1);
  while (day.admin.used > step() + 1) await Bun.sleep(200);
  const code = await codeOf(secret, day.admin.used - step());
  expectStatus(await browser.post("/api/auth/second-factor", { code }), 200);
  await agree(browser);
}

/** Somebody who registers and has no trade. */
export const registerNewcomer = (day: Day): Promise<Person> => registerPerson(door(day), "Going Soon");

/** Deletes the account of somebody who has no trade. */
export async function deleteAccount({ send, password, username }: Person): Promise<void> {
  expectStatus(await send("DELETE", "/api/users/me", { password, confirmation: username }), 200);
}
