import { z } from "zod";
import * as inputs from "#forms/escrow";
import { sendMessageInput } from "#forms/rooms";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { leaveRoom, sendMessage, setRole } from "#modules/rooms";
import type { AllowedActions, TradeView } from "#views/escrow";
import { paths } from "../../paths.ts";
import { runOrToastFailure } from "../../server/pages/form-failure-toast.ts";
import { goTo, notFound, parseId, postedForm } from "../../server/pages/page-context.ts";
import {
  type FormAnswer,
  packRefusal,
  readForm,
  refusalToast,
  reviewOrConfirm,
} from "../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../server/pages/refusal-responses.ts";
import type { Toast } from "../../server/pages/toast-cookie.ts";
import { carriesImage, postImage } from "./conversation/post-image.ts";
import {
  agreeToCancel,
  askToCancel,
  confirmHandedOver,
  confirmInfoExchange,
  confirmReceivedOtherwise,
  declineToCancel,
  markPaidAndCheck,
  type StepOutcome,
  verifyOwnPayment,
  withdrawOwnCancellation,
} from "./trade/trade-steps.ts";

/** Steps without fields to fill in; a refusal is shown as a toast. */
const roomButtonActions: Record<string, (member: Member, id: number) => Promise<StepOutcome>> = {
  withdraw: escrow.withdrawRequest,
  // The first QR stays the same however often the button is pressed; only "a new one" replaces it.
  invoice: (member, id) => escrow.issueInvoice(member, id),
  "new-invoice": (member, id) => escrow.issueInvoice(member, id, { fresh: true }),
  "mark-paid": markPaidAndCheck,
  verify: verifyOwnPayment,
  "withdraw-cancel": withdrawOwnCancellation,
};

/** Steps with a form; the input comes back with its errors. */
const tradeFormActions = {
  amend: {
    schema: inputs.amendTradeSchema,
    run: (member: Member, id: number, input: inputs.AmendInput) =>
      escrow.amendTrade(member, id, completeAmendment(input)),
  },
  confirm: { schema: inputs.confirmTradeFormSchema, run: confirmHandedOver },
  "confirm-otherwise": { schema: inputs.confirmTradeFormSchema, run: confirmReceivedOtherwise },
  cancel: { schema: inputs.cancelTradeSchema, run: askToCancel },
  "agree-cancel": { schema: inputs.cancelTradeSchema, run: agreeToCancel },
  "decline-cancel": { schema: inputs.declineCancellationSchema, run: declineToCancel },
  "hand-over": { schema: inputs.handOverSchema, run: escrow.handOver },
  dispute: { schema: inputs.disputeStatementSchema, run: escrow.openDispute },
  explain: { schema: inputs.disputeStatementSchema, run: escrow.explainDispute },
  "withdraw-dispute": { schema: inputs.withdrawDisputeSchema, run: escrow.withdrawDispute },
  "bank-info": { schema: inputs.saveBankInfoSchema, run: escrow.saveBankInfo },
  info: { schema: inputs.shareInfoSchema, run: escrow.shareInfo },
  "confirm-info": { schema: inputs.confirmInfoSchema, run: confirmInfoExchange },
  "refund-destination": { schema: inputs.refundDestinationSchema, run: escrow.saveRefundDestination },
} as const;

/** Forms whose input is shown for review before it is saved, while the step is allowed; otherwise they are refused immediately. */
const reviewedForms: Partial<Record<keyof typeof tradeFormActions, keyof AllowedActions>> = {
  amend: "amend",
  "bank-info": "bankInfo",
  "refund-destination": "refundDestination",
};

/** Forms without anything to fill in: after a refusal, the page shows how things are now. */
const formsWithoutInput: ReadonlySet<keyof typeof tradeFormActions> = new Set([
  "cancel",
  "agree-cancel",
  "decline-cancel",
  "confirm",
  "confirm-otherwise",
  "withdraw-dispute",
]);

const roleSwapSchema = z.object({ role: z.enum(["buyer", "seller"]) });

/**
 * Handles a POST to the room's page or to its trade's, and leads back to where it came from; a picture is not read before its sender is
 * authorised.
 */
export async function handleRoomPost(member: Member, roomId: number, request: Request) {
  const onTrade = new URL(request.url).pathname === paths.roomTrade(roomId);
  const at = onTrade ? paths.roomTrade(roomId) : paths.room(roomId);
  if (carriesImage(request)) {
    return runOrToastFailure({ form: "image", at, member }, () => postImage(member, roomId, request));
  }
  const body = await postedForm(request);
  return runOrToastFailure({ form: String(body.get("form")), at, member }, () =>
    handleRoomForm(member, roomId, body, at),
  );
}

/** Handles every form of the room's page; the field `form` names which one. */
async function handleRoomForm(member: Member, roomId: number, body: FormData, at: string) {
  const form = String(body.get("form"));
  if (form === "message") return handleMessageForm(member, roomId, body);
  if (form === "image") return postImage(member, roomId, body);
  if (form === "create-trade") return handleCreateTradeForm(member, roomId, body, at);
  if (form === "leave") return handleLeaveForm(member, roomId);
  if (form === "swap-roles") return handleSwapRolesForm(member, roomId, body, at);
  const of = await escrow.tradeOfRoom(member, roomId);
  if (!of.ok) throw notFound("room");
  if (of.trade === null) throw notFound("form");
  const press = Object.hasOwn(roomButtonActions, form) ? roomButtonActions[form] : undefined;
  if (press !== undefined) return redirectWithOutcome(at, await press(member, of.trade.id), form);
  if (!Object.hasOwn(tradeFormActions, form)) throw notFound("form");
  return handleTradeForm(member, of.trade, form as keyof typeof tradeFormActions, body, at);
}

/** Handles a form of the trade's panel on any page; `at` is the page to return to. */
export async function handleTradeForm(
  member: Member,
  trade: TradeView,
  form: keyof typeof tradeFormActions,
  body: FormData,
  at: string,
) {
  const { schema, run } = tradeFormActions[form];
  const read = readForm(form, body, schema);
  if (!read.ok) return read.answer;
  const may = reviewedForms[form];
  if (may !== undefined && trade.can[may]) {
    const { amount = trade.amount, feePayer = trade.feePayer, description } = read.value as inputs.AmendInput;
    const asked = { amount, feePayer, description };
    const look = form === "amend" ? reviewRequest(read, asked, body) : reviewOrConfirm(read, body);
    if (look !== null) return look;
  }
  const done: StepOutcome = await (
    run as (member: Member, id: number, input: unknown) => Promise<StepOutcome>
  )(member, trade.id, read.value);
  return done.ok || formsWithoutInput.has(form) ? redirectWithOutcome(at, done, form) : read.refuse(done);
}

type RequestedTerms = { amount: number; feePayer: escrow.FeePayer; description?: string | null | undefined };

/** The page's form of an amendment shows the whole request, so a description that was emptied is removed; the API keeps what is left out. */
function completeAmendment(amendment: inputs.AmendInput): inputs.AmendInput {
  return { ...amendment, description: amendment.description ?? null };
}

/** Shows a payment request for review, with each party's figure; an invalid one is refused before anyone commits. */
function reviewRequest(
  read: Parameters<typeof reviewOrConfirm>[0] & { refuse: (refusal: VerbRefusal) => FormAnswer },
  { amount, feePayer, description }: RequestedTerms,
  body: FormData,
): FormAnswer | null {
  const misleading = escrow.descriptionRefusal({ description });
  if (misleading !== undefined) return read.refuse(misleading);
  const quoted = escrow.quoteTrade(amount, feePayer);
  if (!quoted.ok) return read.refuse({ ...quoted, fields: { amount: [packRefusal(quoted)] } });
  const { fee, buyerPays, sellerGets } = quoted.quote;
  return reviewOrConfirm(read, body, { figures: { amount, feePayer, fee, buyerPays, sellerGets } });
}

async function handleMessageForm(member: Member, roomId: number, body: FormData) {
  const read = readForm("message", body, sendMessageInput);
  if (!read.ok) return read.answer;
  const done = await sendMessage(member, roomId, read.value);
  if (done.ok) return goTo(paths.room(roomId));
  if (done.code === "CHAT_ROOM_NOT_FOUND") throw notFound("room");
  return read.refuse(done);
}

async function handleCreateTradeForm(member: Member, roomId: number, body: FormData, at: string) {
  body.set("chatRoomId", String(roomId));
  const read = readForm("create-trade", body, inputs.createTradeFormSchema);
  if (!read.ok) return read.answer;
  const of = await escrow.tradeOfRoom(member, roomId);
  const look = of.ok && of.trade === null ? reviewRequest(read, read.value, body) : null;
  if (look !== null) return look;
  const done = await escrow.requestPayment(member, read.value);
  if (!done.ok) return read.refuse(done, await requestRefusalKey(member, roomId, done));
  const noQr: Toast = { kind: "error", key: "trade.refused.noQr" };
  return done.qr === null ? redirectWithOutcome(at, { ok: true }, "create-trade") : goTo(at, noQr);
}

/** Why no payment request can be made. */
async function requestRefusalKey(
  member: Member,
  roomId: number,
  { code }: VerbRefusal,
): Promise<string | undefined> {
  if (code === "SELLERS_CREATE") return "trade.refused.sellersOnly";
  if (code !== "TRADE_COMPLETED") return undefined;
  const of = await escrow.tradeOfRoom(member, roomId);
  const trade = of.ok ? of.trade : null;
  if (trade?.status === "completed") return "trade.refused.completed";
  const both = trade?.confirmations.buyer && trade.confirmations.seller;
  return both ? "trade.refused.bothConfirmed" : "trade.refused.payingOut";
}

async function handleLeaveForm(member: Member, roomId: number) {
  const done = await leaveRoom(member, roomId);
  return done.ok
    ? goTo(paths.chat, { kind: "success", key: "toast.left" })
    : goTo(paths.room(roomId), refusalToast(done));
}

async function handleSwapRolesForm(member: Member, roomId: number, body: FormData, at: string) {
  const user = parseId(body.get("user"), "form");
  const wanted = roleSwapSchema.safeParse({ role: body.get("role") });
  if (!wanted.success) throw notFound("form");
  const { role } = wanted.data;
  return redirectWithOutcome(at, await setRole(member, roomId, user, role), "swap-roles");
}

/** Redirects to the page, with a toast for the result or the refusal. */
function redirectWithOutcome(at: string, done: StepOutcome, form: string): Response {
  if (!done.ok) return goTo(at, tradeRefusalToast(done));
  if (done.toast === null) return goTo(at);
  return goTo(at, done.toast ?? { kind: "success", key: `toast.done.${form}` });
}

/** A refusal as a toast, with the heading "Payment Provider Error" if the payment provider cannot be reached. */
function tradeRefusalToast(refusal: VerbRefusal): Toast {
  if (refusal.code === "PROVIDER_UNAVAILABLE") return { kind: "error", key: "trade.refused.noProvider" };
  return refusalToast(refusal);
}
