import { db } from "#db/client";
import * as escrow from "#modules/escrow";
import { administratorLine, type Member } from "#modules/identity";
import { destinationDigest, payoutsOf, sandboxPay } from "#modules/payments";
import { createRoom, joinByCode, sendMessage } from "#modules/rooms";
import { enrol, enrolAdmin, password } from "./people.ts";

interface Deal {
  id: number;
  seller: Member;
  buyer: Member;
  admin: Member;
}

/** One more step of a trade; each state of the demonstration is a number of them. */
type Step = (deal: Deal) => Promise<unknown>;

const invoice: Step = ({ buyer, id }) => must("invoice", escrow.issueInvoice(buyer, id));
const verify: Step = ({ buyer, id }) => must("verify", escrow.verifyPayment(buyer, id));
const payFull: Step = (deal) => pay(deal, undefined);
const payPart: Step = (deal) => pay(deal, 20_000);
const bank: Step = ({ seller, id }) =>
  must(
    "bank",
    escrow.saveBankInfo(seller, id, {
      infoType: "seller",
      accountName: seller.displayName,
      bankName: "Хаан банк",
      accountNumber: "5012345678",
      phoneNumber: "99112233",
      email: seller.email,
    }),
  );
const handOver: Step = ({ seller, id }) =>
  must("hand over", escrow.handOver(seller, id, { note: "Нууц үгийг чатаар өгсөн" }));
const sealVault: Step = ({ seller, id }) =>
  must(
    "seal",
    escrow.sealVault(seller, id, {
      login: "altan_burged",
      password: "Khangai-2025!",
      email: "altan.burged@example.mn",
      recoveryNotes: "7F3K-92QX\n5D8M-41ZP",
      notes: "Бүртгэлийн бүс: SEA",
    }),
  );
const buyerConfirms: Step = ({ buyer, id }) => must("confirm", escrow.confirmCompletion(buyer, id));
const sellerConfirms: Step = ({ seller, id }) => must("confirm", escrow.confirmCompletion(seller, id));
const settle: Step = async ({ admin, id }) => {
  const due = (await payoutsOf(db(), id)).find(({ state }) => state === "due");
  const shown = due?.destination ? { destinationDigest: destinationDigest(due.destination) } : {};
  await must("settle", escrow.settleTrade(admin, id, { ...shown, bankReference: `DEMO-${id}` }));
};
const dispute: Step = ({ buyer, id }) =>
  must("dispute", escrow.openDispute(buyer, id, { reason: "Бүртгэлд нэвтэрч чадахгүй байна." }));
const cancel: Step = async ({ seller, buyer, id }) => {
  await must("cancel", escrow.requestCancellation(buyer, id));
  await must("agree", escrow.requestCancellation(seller, id));
};
const failing: Step = (deal) => pay(deal, undefined, "FAILED");
const withdraw: Step = ({ seller, id }) => must("withdraw", escrow.withdrawRequest(seller, id));

const confirmed = [invoice, payFull, verify];
const exchanged = [...confirmed, bank, handOver, buyerConfirms];

/** Every state of a trade, by the steps that lead there. */
const states: Array<{ name: string; amount: number; status: escrow.Status; steps: Step[] }> = [
  { name: "PUBG бүртгэл", amount: 45_000, status: "initiated", steps: [] },
  { name: "Steam түлхүүр", amount: 60_000, status: "payment_initiated", steps: [invoice] },
  { name: "Dota 2 эд зүйл", amount: 150_000, status: "payment_pending", steps: [invoice, verify] },
  { name: "MLBB бүртгэл", amount: 120_000, status: "payment_processing", steps: [invoice, payPart, verify] },
  { name: "Valorant бүртгэл", amount: 90_000, status: "payment_failed", steps: [invoice, failing, verify] },
  { name: "Genshin бүртгэл", amount: 250_000, status: "payment_confirmed", steps: confirmed },
  { name: "Clash бүртгэл", amount: 95_000, status: "payment_confirmed", steps: [...confirmed, sealVault] },
  { name: "CS2 хутга", amount: 800_000, status: "exchange_completed", steps: exchanged },
  {
    name: "Roblox бүртгэл",
    amount: 75_000,
    status: "settlement_pending",
    steps: [...exchanged, sellerConfirms],
  },
  { name: "Windows лиценз", amount: 35_000, status: "disputed", steps: [...confirmed, handOver, dispute] },
  {
    name: "Minecraft бүртгэл",
    amount: 55_000,
    status: "completed",
    steps: [...exchanged, sellerConfirms, settle],
  },
  { name: "WoW алт", amount: 110_000, status: "cancelled", steps: [...confirmed, cancel] },
  { name: "FIFA зоос", amount: 40_000, status: "cancelled", steps: [withdraw] },
];

/** Makes the demonstration; answers the lines that tell who may sign in. */
export async function seedDemonstration(): Promise<string[]> {
  const seller = await enrol("sarnai", "Сарнай");
  const buyers = [await enrol("bold", "Болд"), await enrol("oyun", "Оюунчимэг")];
  const { admin, oneTimePassword } = await enrolAdmin("davaa");
  for (const [index, state] of states.entries()) {
    const buyer = buyers[index % buyers.length] ?? admin;
    const id = await openTrade(seller, buyer, state.name, state.amount);
    for (const step of state.steps) await step({ id, seller, buyer, admin });
    const reached = await must("look", escrow.trade(seller, id));
    if (reached.trade.status !== state.status) {
      throw new Error(`seed: ${state.name} is ${reached.trade.status}, not ${state.status}`);
    }
  }
  const names = [seller, ...buyers].map((person) => person.username).join(", ");
  return [
    `${states.length} trades, one or more in every state.`,
    `Sign in as ${names}; password: ${password}`,
    administratorLine(admin.username, oneTimePassword),
  ];
}

async function openTrade(seller: Member, buyer: Member, name: string, amount: number): Promise<number> {
  const { room } = await must("room", createRoom(seller, { name, description: "Туршилтын наймаа" }));
  await must("join", joinByCode(buyer, { code: room.inviteCode ?? "" }));
  await say(seller, room.id, "Сайн байна уу? Бүртгэл 80 түвшинтэй, имэйлтэй нь өгнө.");
  await say(buyer, room.id, "Сайн байна уу. Үнэ тохирлоо, авъя.");
  const made = await must(
    "request",
    escrow.createTrade(seller, { chatRoomId: room.id, amount, feePayer: "buyer", description: name }),
  );
  return made.trade.id;
}

async function say(who: Member, roomId: number, content: string): Promise<void> {
  await must("message", sendMessage(who, roomId, { content }));
}

/** Pays at the sandbox without a callback, as a payer's bank would; what follows is Verify's business. */
async function pay({ buyer, id }: Deal, amount: number | undefined, status?: "FAILED"): Promise<void> {
  const { trade } = await must("look", escrow.trade(buyer, id));
  const at = new Date();
  const invoiceId = trade.invoice?.invoiceId ?? "";
  await must(
    "pay",
    sandboxPay(invoiceId, { callback: false, ...(amount && { amount }), ...(status && { status }) }, at),
  );
}

async function must<T extends { ok: boolean; code?: string }>(
  what: string,
  work: Promise<T>,
): Promise<Extract<T, { ok: true }>> {
  const done = await work;
  if (!done.ok) throw new Error(`seed: ${what} was refused: ${done.code}`);
  return done as Extract<T, { ok: true }>;
}
