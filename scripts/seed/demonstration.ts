import { db } from "#db/client";
import * as escrow from "#modules/escrow";
import { administratorLine, type Member } from "#modules/identity";
import { destinationDigest, payoutsOf, paySandboxInvoice } from "#modules/payments";
import { createRoom, joinByCode, sendMessage } from "#modules/rooms";
import { demonstrationPassword, enrollAdministrator, enrollPerson } from "./demonstration-people.ts";

interface DemonstrationTrade {
  id: number;
  seller: Member;
  buyer: Member;
  admin: Member;
}

/** A step of a trade. Each state of the demonstration is reached by a list of them. */
type Step = (deal: DemonstrationTrade) => Promise<unknown>;

const invoiceStep: Step = ({ buyer, id }) => requireAccepted("invoice", escrow.issueInvoice(buyer, id));
const verifyStep: Step = ({ buyer, id }) => requireAccepted("verify", escrow.verifyPayment(buyer, id));
const payFullStep: Step = (deal) => payAtSandbox(deal, undefined);
const payPartStep: Step = (deal) => payAtSandbox(deal, 20_000);
const bankAccountStep: Step = ({ seller, id }) =>
  requireAccepted(
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
const handOverStep: Step = ({ seller, id }) =>
  requireAccepted("hand over", escrow.handOver(seller, id, { note: "Нууц үгийг чатаар өгсөн" }));
const sealVaultStep: Step = ({ seller, id }) =>
  requireAccepted(
    "seal",
    escrow.sealVault(seller, id, {
      login: "altan_burged",
      password: "Khangai-2025!",
      email: "altan.burged@example.mn",
      recoveryNotes: "7F3K-92QX\n5D8M-41ZP",
      notes: "Бүртгэлийн бүс: SEA",
    }),
  );
const buyerConfirmStep: Step = ({ buyer, id }) =>
  requireAccepted("confirm", escrow.confirmCompletion(buyer, id));
const sellerConfirmStep: Step = ({ seller, id }) =>
  requireAccepted("confirm", escrow.confirmCompletion(seller, id));
const settleStep: Step = async ({ admin, id }) => {
  const due = (await payoutsOf(db(), id)).find(({ state }) => state === "due");
  const shown = due?.destination ? { destinationDigest: destinationDigest(due.destination) } : {};
  await requireAccepted("settle", escrow.settleTrade(admin, id, { ...shown, bankReference: `DEMO-${id}` }));
};
const disputeStep: Step = ({ buyer, id }) =>
  requireAccepted("dispute", escrow.openDispute(buyer, id, { reason: "Бүртгэлд нэвтэрч чадахгүй байна." }));
const cancelStep: Step = async ({ seller, buyer, id }) => {
  await requireAccepted("cancel", escrow.requestCancellation(buyer, id));
  await requireAccepted("agree", escrow.requestCancellation(seller, id));
};
const failPaymentStep: Step = (deal) => payAtSandbox(deal, undefined, "FAILED");
const withdrawStep: Step = ({ seller, id }) =>
  requireAccepted("withdraw", escrow.withdrawRequest(seller, id));

const confirmedSteps = [invoiceStep, payFullStep, verifyStep];
const exchangedSteps = [...confirmedSteps, bankAccountStep, handOverStep, buyerConfirmStep];

/** Every state of a trade, with the steps that lead to it. */
const demonstrationStates: Array<{ name: string; amount: number; status: escrow.Status; steps: Step[] }> = [
  { name: "PUBG бүртгэл", amount: 45_000, status: "initiated", steps: [] },
  { name: "Steam түлхүүр", amount: 60_000, status: "payment_initiated", steps: [invoiceStep] },
  { name: "Dota 2 эд зүйл", amount: 150_000, status: "payment_pending", steps: [invoiceStep, verifyStep] },
  {
    name: "MLBB бүртгэл",
    amount: 120_000,
    status: "payment_processing",
    steps: [invoiceStep, payPartStep, verifyStep],
  },
  {
    name: "Valorant бүртгэл",
    amount: 90_000,
    status: "payment_failed",
    steps: [invoiceStep, failPaymentStep, verifyStep],
  },
  { name: "Genshin бүртгэл", amount: 250_000, status: "payment_confirmed", steps: confirmedSteps },
  {
    name: "Clash бүртгэл",
    amount: 95_000,
    status: "payment_confirmed",
    steps: [...confirmedSteps, sealVaultStep],
  },
  { name: "CS2 хутга", amount: 800_000, status: "exchange_completed", steps: exchangedSteps },
  {
    name: "Roblox бүртгэл",
    amount: 75_000,
    status: "settlement_pending",
    steps: [...exchangedSteps, sellerConfirmStep],
  },
  {
    name: "Windows лиценз",
    amount: 35_000,
    status: "disputed",
    steps: [...confirmedSteps, handOverStep, disputeStep],
  },
  {
    name: "Minecraft бүртгэл",
    amount: 55_000,
    status: "completed",
    steps: [...exchangedSteps, sellerConfirmStep, settleStep],
  },
  { name: "WoW алт", amount: 110_000, status: "cancelled", steps: [...confirmedSteps, cancelStep] },
  { name: "FIFA зоос", amount: 40_000, status: "cancelled", steps: [withdrawStep] },
];

/** Creates the demonstration. Returns lines that say who may sign in. */
export async function seedDemonstration(): Promise<string[]> {
  const seller = await enrollPerson("sarnai", "Сарнай");
  const buyers = [await enrollPerson("bold", "Болд"), await enrollPerson("oyun", "Оюунчимэг")];
  const { admin, oneTimePassword } = await enrollAdministrator("davaa");
  for (const [index, state] of demonstrationStates.entries()) {
    const buyer = buyers[index % buyers.length] ?? admin;
    const id = await openTrade(seller, buyer, state.name, state.amount);
    for (const step of state.steps) await step({ id, seller, buyer, admin });
    const reached = await requireAccepted("look", escrow.readTrade(seller, id));
    if (reached.trade.status !== state.status) {
      throw new Error(`seed: ${state.name} is ${reached.trade.status}, not ${state.status}`);
    }
  }
  const names = [seller, ...buyers].map((person) => person.username).join(", ");
  return [
    `${demonstrationStates.length} trades, at least one in every state.`,
    `Sign in as ${names}; password: ${demonstrationPassword}`,
    administratorLine(admin.username, oneTimePassword),
  ];
}

async function openTrade(seller: Member, buyer: Member, name: string, amount: number): Promise<number> {
  const { room } = await requireAccepted(
    "room",
    createRoom(seller, { name, description: "Туршилтын наймаа" }),
  );
  await requireAccepted("join", joinByCode(buyer, { code: room.inviteCode ?? "" }));
  await postMessage(seller, room.id, "Сайн байна уу? Бүртгэл 80 түвшинтэй, имэйлтэй нь өгнө.");
  await postMessage(buyer, room.id, "Сайн байна уу. Үнэ тохирлоо, авъя.");
  const made = await requireAccepted(
    "request",
    escrow.createTrade(seller, { chatRoomId: room.id, amount, feePayer: "buyer", description: name }),
  );
  return made.trade.id;
}

async function postMessage(who: Member, roomId: number, content: string): Promise<void> {
  await requireAccepted("message", sendMessage(who, roomId, { content }));
}

/** Pays at the sandbox without a callback, as a payer's bank would; Verify does the rest. */
async function payAtSandbox(
  { buyer, id }: DemonstrationTrade,
  amount: number | undefined,
  status?: "FAILED",
): Promise<void> {
  const { trade } = await requireAccepted("look", escrow.readTrade(buyer, id));
  const at = new Date();
  const invoiceId = trade.invoice?.invoiceId ?? "";
  await requireAccepted(
    "pay",
    paySandboxInvoice(
      invoiceId,
      { callback: false, ...(amount && { amount }), ...(status && { status }) },
      at,
    ),
  );
}

async function requireAccepted<T extends { ok: boolean; code?: string }>(
  what: string,
  work: Promise<T>,
): Promise<Extract<T, { ok: true }>> {
  const done = await work;
  if (!done.ok) throw new Error(`seed: ${what} was refused: ${done.code}`);
  return done as Extract<T, { ok: true }>;
}
