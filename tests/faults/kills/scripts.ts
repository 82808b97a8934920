import { sql } from "drizzle-orm";
import { db } from "../../../db/client.ts";
import { postAsShown } from "../../support/backoffice/post-as-shown.ts";
import type { Person } from "../../support/people/registered-people.ts";
import { type Client, createHttpClient, type Reply } from "../../support/server/http-client.ts";
import { bankInfo, refundAccount, type ServerTrade } from "../../support/trades/server-trades.ts";

/** One thing that people or the clock do; it may be repeated until it is answered with success. */
export type Step = { name: string; run: () => Promise<Reply> };

/** What must be true of a trade once its script was carried through. */
export type Ending = {
  status: "completed" | "cancelled";
  /** What was paid in, and what went out of it to people. */
  paid: number;
  fees: number;
  /** Texts that were said, each once. */
  said: Set<string>;
  notice: string;
};

export type Story = { deal: ServerTrade; steps: Step[]; ending: Ending };

/** The instances' addresses; each call meets one of them by chance, and gives up after 15 seconds. */
export type Doors = { any(): string; admin(): Promise<Client> };

export const kinds = ["completed", "cancelled", "expired"] as const;
export type Kind = (typeof kinds)[number];

/** What the people of a trade do, in order. */
export function createStory(kind: Kind, deal: ServerTrade, doors: Doors): Story {
  const told = teller(deal, doors);
  const asked = [told.ask, told.say("buyer", "I shall pay now"), told.invoice];
  const said = new Set(["I shall pay now"]);
  if (kind === "expired") {
    const steps = [...asked, told.pay(30_000), told.timeOver, told.refundAccount, told.settle];
    return {
      deal,
      steps,
      ending: { status: "cancelled", paid: 30_000, fees: 0, said, notice: "paymentExpired" },
    };
  }
  const paid = [...asked, told.pay(), told.arrived];
  if (kind === "cancelled") {
    const both = [told.post("buyer", "/cancel"), told.post("seller", "/cancel")];
    const steps = [...paid, ...both, told.refundAccount, told.settle];
    return {
      deal,
      steps,
      ending: { status: "cancelled", paid: 110_000, fees: 0, said, notice: "refundSent" },
    };
  }
  said.add("Here it is");
  const steps = [
    ...paid,
    told.post("seller", "/hand-over", { note: "In the vault" }),
    told.post("seller", "/bank-info", bankInfo),
    told.post("seller", "/info-exchange", { info: "The code is in the vault" }),
    told.post("buyer", "/info-exchange", { info: "The account is on my e-mail" }),
    told.post("buyer", "/info-exchange/confirm"),
    told.post("seller", "/info-exchange/confirm"),
    told.say("seller", "Here it is"),
    told.post("buyer", "/complete"),
    told.post("seller", "/complete"),
    told.settle,
  ];
  return {
    deal,
    steps,
    ending: { status: "completed", paid: 110_000, fees: 10_000, said, notice: "settled" },
  };
}

/** The steps of one deal's people. */
function teller(deal: ServerTrade, doors: Doors) {
  const as = (who: "buyer" | "seller") => at(deal[who], doors);
  const path = (rest: string) => `/api/transactions/${deal.id}${rest}`;
  const post = (who: "buyer" | "seller", rest: string, body?: unknown): Step => {
    return { name: `${who} ${rest}`, run: () => as(who).post(path(rest), body) };
  };
  const noting = (name: string, run: () => Promise<Reply>, note: (reply: Reply) => void): Step => ({
    name,
    run: async () => {
      const reply = await run();
      if (reply.status < 300) note(reply);
      return reply;
    },
  });
  const request = () => as("seller").post("/api/transactions", { chatRoomId: deal.roomId, amount: 100_000 });
  const show = () => as("buyer").post("/api/qpay/invoices", { transactionId: deal.id });
  return {
    post,
    ask: noting("ask for the payment", request, ({ body }) => {
      deal.id = body.id;
    }),
    invoice: noting("get the QR", show, ({ body }) => {
      deal.invoiceId = body.invoiceId;
    }),
    say: (who: "buyer" | "seller", content: string): Step => {
      const message = { content, clientId: crypto.randomUUID() };
      return {
        name: `${who} says`,
        run: () => as(who).post(`/api/chat/rooms/${deal.roomId}/messages`, message),
      };
    },
    pay: (amount?: number): Step => ({ name: "pay", run: () => payOnce(deal, as("buyer"), amount) }),
    arrived: { name: "the money arrives", run: () => arrived(deal, as("buyer")) },
    timeOver: { name: "the time is over", run: () => timeOver(deal, as("buyer")) },
    refundAccount: post("buyer", "/refund-destination", refundAccount),
    settle: {
      name: "settle",
      run: async () =>
        postAsShown(await doors.admin(), `/api/admin/transactions/${deal.id}/settle`, {
          bankReference: `FT-${deal.id}`,
        }),
    },
  };
}

/** The same person, at an instance of chance. */
export function at(person: Person, doors: Pick<Doors, "any">): Client {
  return createHttpClient(doors.any(), { Cookie: person.cookies() }, 15_000);
}

/** A person's bank pays once, whatever became of Midman meanwhile. */
async function payOnce(deal: ServerTrade, buyer: Client, amount?: number): Promise<Reply> {
  const [row] = await db().execute<{ count: string }>(sql`
    SELECT count(*) FROM sandbox.payments JOIN sandbox.invoices ON invoices.id = payments.invoice_id
    WHERE sender_invoice_no LIKE ${`${deal.invoiceId}-%`}`);
  if (Number(row?.count) > 0) return buyer.get("/healthz");
  return buyer.post(`/sandbox/qpay/pay/${deal.invoiceId}`, { callback: true, amount });
}

const notYet = (reply: Reply): Reply => ({ ...reply, status: 425 });

/** The callback's job brings the money; it, or the callback itself, may have died, and the buyer presses Verify too. */
async function arrived(deal: ServerTrade, buyer: Client): Promise<Reply> {
  const seen = await buyer.get(`/api/transactions/${deal.id}`);
  if (seen.status !== 200 || seen.body.status === "payment_confirmed") return seen;
  const reply = await buyer.post(`/api/transactions/${deal.id}/verify`);
  return reply.status !== 200 || reply.body.success === true ? reply : notYet(reply);
}

/** Two hours pass for the payment window, and the jobs find out. */
async function timeOver(deal: ServerTrade, buyer: Client): Promise<Reply> {
  await db().execute(sql`
    UPDATE escrow.deadlines SET due_at = now() - interval '1 second', next_at = now() - interval '1 second'
    WHERE trade_id = ${deal.id} AND kind = 'payment_window' AND state = 'running' AND due_at > now()`);
  const reply = await buyer.get(`/api/transactions/${deal.id}`);
  return reply.status !== 200 || reply.body.status === "cancelled" ? reply : notYet(reply);
}
