import { namedAccount, settleTyped } from "#forms/escrow";
import { because } from "#forms/payments";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import type { VerbRefusal } from "../../../server/pages/outcome-responses.ts";
import { goTo, notFound, reauthenticate } from "../../../server/pages/page-context.ts";
import { lookAt, readForm, refusedToast } from "../../../server/pages/posted-forms.ts";

type Done = { ok: true; changed: boolean; payout: { id: number } } | VerbRefusal;

const overcome = new Set([
  "BANK_REFERENCE_USED",
  "MONEY_HALTED",
  "PAYOUT_UNKNOWN_OPEN",
  "REAUTH_REQUIRED",
  "APPROVAL_LAPSED",
]);

/**
 * Refusals that the same form may overcome stand in it, and keep what was typed; after any other the page shows how the record stands
 * now. A number typed for a transfer that another took over is wanted for saying that it had been sent.
 */
function stays(form: string, { code }: VerbRefusal): boolean {
  return overcome.has(code) || (code === "PAYOUT_CLAIMED" && form === "send");
}

const personIn = (body: FormData) => Number(body.get("from")) || null;

/** Steps with nothing to fill in; their forms say what they showed. */
const presses: Record<string, (admin: Member, id: number, body: FormData) => Promise<Done>> = {
  // A form that does not say which account it showed approves none.
  approve: (admin, id, body) =>
    escrow.approvePayout(admin, id, { destinationDigest: String(body.get("destinationDigest") ?? "") }),
  claim: (admin, id, body) => escrow.claimPayout(admin, id, { from: personIn(body) }),
  done: (admin, id) => escrow.payoutDone(admin, id),
};

/** Steps that want a reason; `from` is whom the form named as making the transfer. */
type Why = { reason: string; from: number | null };
const reasoned: Record<string, (admin: Member, id: number, why: Why) => Promise<Done>> = {
  withdraw: escrow.withdrawApproval,
  unknown: escrow.payoutUnknown,
  "found-unsent": (admin, id, { reason }) => escrow.resolvePayout(admin, id, { outcome: "not_sent", reason }),
};

type Transfer = { bankReference: string; destinationDigest: string };

/** Steps by which money has moved: the bank's number, and the sum typed out. */
const moving: Record<string, (admin: Member, id: number, sent: Transfer) => Promise<Done>> = {
  send: escrow.sendPayout,
  "already-sent": (admin, id, { bankReference }) => escrow.reportTransfer(admin, id, { bankReference }),
  "found-sent": (admin, id, { bankReference }) =>
    escrow.resolvePayout(admin, id, { outcome: "sent", bankReference }),
};

/** Every form of the page of a payout or refund, told apart by its field `form`. */
export async function actOnPayout(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  const of = <Step>(steps: Record<string, Step>) => (Object.hasOwn(steps, form) ? steps[form] : undefined);
  if (form === "destination") return named(admin, id, body);
  const press = of(presses);
  if (press !== undefined) return back(id, await press(admin, id, body), form);
  const move = of(moving);
  if (move !== undefined) return moved(admin, id, form, body, move);
  const step = of(reasoned);
  if (step === undefined) throw notFound();
  const read = readForm(form, body, because);
  if (!read.ok) return read.answer;
  const done = await step(admin, id, { ...read.value, from: personIn(body) });
  return !done.ok && stays(form, done) ? read.refuse(done) : back(id, done, form);
}

/** The account of a refund in its buyer's place, shown once more before it counts while it may be named. */
async function named(admin: Member, id: number, body: FormData) {
  const read = readForm("destination", body, namedAccount);
  if (!read.ok) return read.answer;
  const found = await escrow.payoutPage(admin, id);
  if (!found.ok) throw notFound();
  const look = found.payout.mayName ? lookAt(read, body) : null;
  if (look !== null) return look;
  const done = await escrow.nameRefundAccount(admin, id, read.value);
  return !done.ok && stays("destination", done) ? read.refuse(done) : back(id, done, "destination");
}

async function moved(
  admin: Member,
  id: number,
  form: string,
  body: FormData,
  move: (admin: Member, id: number, sent: Transfer) => Promise<Done>,
) {
  const read = readForm(form, body, settleTyped);
  if (!read.ok) return read.answer;
  const found = await escrow.payoutPage(admin, id);
  if (!found.ok) throw notFound();
  // The sum of a record never changes, so it may be compared before the lock.
  if (read.value.sum !== found.payout.amount) {
    return read.refuse({ ok: false, code: "VALIDATION", fields: { sum: ["validation.sumTyped"] } });
  }
  const { bankReference } = read.value;
  const destinationDigest = String(body.get("destinationDigest") ?? "");
  const done = await move(admin, id, { bankReference, destinationDigest });
  return !done.ok && stays(form, done) ? read.refuse(done) : back(id, done, form);
}

/** Money found not to be sent goes on as a fresh record, and so does the page. Who came second is told so. */
function back(id: number, done: Done, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(paths.adminPayout(id));
  if (!done.ok) return goTo(paths.adminPayout(id), refusedToast(done));
  const toast = done.changed
    ? ({ kind: "success", key: `toast.payout.${form}` } as const)
    : ({ kind: "info", key: "toast.payout.already" } as const);
  return goTo(paths.adminPayout(done.payout.id), toast);
}
