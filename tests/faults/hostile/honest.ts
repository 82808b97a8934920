import {
  expectStatus,
  makeRoomOf,
  type Person,
  registerPerson,
} from "../../support/people/registered-people.ts";
import type { Reply } from "../../support/server/http-client.ts";
import type { Server } from "../../support/server/midman-server.ts";
import type { Pair } from "../../support/trades/server-trades.ts";

/** Two who trade with each other, each at an address of their own, and their trades that wait for payment. */
export type Honest = Pair & { roomId: number; trades: number[] };

/** What an honest person waited for, in milliseconds each time. */
export type Waits = Record<"sign-in" | "message" | "QR" | "payment", number[]>;

/** In each of three phases; a person may have ten invoices in ten minutes. */
const paymentsEach = 3;
/** An address may sign in 150 times in a quarter of an hour. */
const SIGN_IN_EVERY_MS = 2_500;
/** On a busy machine a phase lasts until everybody has signed in so often: less would prove nothing. */
const leastSignIns = 2;
/** A payment that takes longer has failed; how long one may take is judged by all of them. */
const payWaitMs = 60_000;

export async function makeHonest(server: Server, number: number): Promise<Honest> {
  const at = (ip: string) => ({ client: () => server.client({ "X-Forwarded-For": ip }) });
  const people = {
    seller: await registerPerson(at(`203.0.113.${number}`), "Seller One"),
    buyer: await registerPerson(at(`192.0.2.${number}`), "Buyer Two"),
  };
  const trades: number[] = [];
  let roomId = 0;
  while (trades.length < 3 * paymentsEach) {
    roomId = (await makeRoomOf(people)).roomId;
    const asked = { chatRoomId: roomId, amount: 100_000, description: "Account, level 60" };
    trades.push(expectStatus(await people.seller.post("/api/transactions", asked), 201).body.id);
  }
  return { ...people, roomId, trades };
}

type Findings = { waits: Waits; failures: string[] };

/** Signs in, writes and pays, one after the other, until `end` or a little longer (`leastSignIns`); an answer that is no success is a failure. */
export async function liveHonestly(
  server: Server,
  honest: Honest,
  number: number,
  end: number,
  found: Findings,
): Promise<void> {
  let [signInAt, signIns] = [0, 0];
  for (let turn = 0; Date.now() < end || signIns < leastSignIns; turn++) {
    const { seller, buyer, roomId } = honest;
    const fresh = server.client({ "X-Forwarded-For": `192.0.2.${number}` });
    const { username, password } = buyer;
    if (Date.now() >= signInAt) {
      signInAt = Date.now() + SIGN_IN_EVERY_MS;
      signIns += 1;
      await measure(found, "sign-in", () =>
        succeed(fresh.post("/api/auth/login", { username, password }), 200),
      );
    }
    await measure(found, "message", () =>
      succeed(seller.post(`/api/chat/rooms/${roomId}/messages`, { content: `Hello ${turn}` }), 201),
    );
    const pays = turn % 3 === 0 && turn < 3 * paymentsEach;
    const trade = pays ? honest.trades.shift() : undefined;
    if (trade !== undefined) await payFor(buyer, trade, found);
    await Bun.sleep(200);
  }
}

async function measure({ waits, failures }: Findings, what: keyof Waits, work: () => Promise<unknown>) {
  const from = performance.now();
  try {
    await work();
    waits[what].push(performance.now() - from);
  } catch (error) {
    failures.push(`${what}: ${error instanceof Error ? error.message : error}`);
  }
}

async function succeed(asked: Promise<Reply>, ...statuses: number[]): Promise<Reply> {
  return expectStatus(await asked, ...statuses);
}

/** What a buyer waits for: the QR, and, once their bank has paid, the word of Midman's page that it is there. */
async function payFor(buyer: Person, transactionId: number, found: Findings): Promise<void> {
  let invoiceId: string | undefined;
  await measure(found, "QR", async () => {
    invoiceId = expectStatus(await buyer.post("/api/qpay/invoices", { transactionId }), 200).body.invoiceId;
  });
  if (invoiceId !== undefined)
    await measure(found, "payment", () => pay(buyer, transactionId, `${invoiceId}`));
}

async function pay(buyer: Person, transactionId: number, invoiceId: string): Promise<void> {
  expectStatus(await buyer.post(`/sandbox/qpay/pay/${invoiceId}`, { callback: true }), 200);
  for (const from = Date.now(); Date.now() - from < payWaitMs; await Bun.sleep(50)) {
    const trade = expectStatus(await buyer.get(`/api/transactions/${transactionId}`), 200).body;
    if (trade.status === "payment_confirmed") return;
  }
  throw new Error(`is not confirmed after ${payWaitMs} ms`);
}
