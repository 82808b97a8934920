import { confirmRulingSchema, mediatorMessageSchema, previewRulingSchema, rulingSchema } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, notFound, parseId } from "../../../server/pages/page-context.ts";
import { packRefusal, readForm, refusalToast } from "../../../server/pages/posted-forms.ts";
import type { VerbRefusal } from "../../../server/pages/refusal-responses.ts";
import { parseAmount } from "../../../server/texts/parse-amount.ts";

type DisputeActionOutcome = { ok: true; changed: boolean } | VerbRefusal;

const disputeButtonActions: Record<string, (admin: Member, id: number) => Promise<DisputeActionOutcome>> = {
  take: escrow.takeDispute,
  "give-back": escrow.giveBackDispute,
};

const disputeToastKeys: Record<string, string> = {
  take: "escrow.disputeTaken",
  "give-back": "escrow.disputeGivenBack",
  mediate: "escrow.mediatorWrote",
  rule: "toast.admin.rule",
  propose: "escrow.rulingProposed",
  "confirm-ruling": "toast.admin.rule",
  "withdraw-ruling": "escrow.rulingWithdrawn",
};

/** Refusals after which the page no longer has this form: the page shows the current state, and a toast gives the reason. */
const caseMovedRefusals = new Set([
  "DISPUTE_TAKEN",
  "DISPUTE_NOT_TAKEN",
  "TRADE_OVERTAKEN",
  "OWN_TRADE",
  "PROPOSAL_CHANGED",
  "VAULT_CHANGED",
]);

/** Handles every form of the back office's page of a dispute; the field `form` names which one. */
export async function handleDisputeForm(admin: Member, id: number, body: FormData) {
  const form = String(body.get("form"));
  if (form === "mediate") {
    const read = readForm(form, body, mediatorMessageSchema);
    if (!read.ok) return read.answer;
    const done = await escrow.writeAsMediator(admin, id, read.value);
    return done.ok || caseMovedRefusals.has(done.code)
      ? redirectToDispute(id, done, form)
      : read.refuse(done);
  }
  if (form === "rule") return handleRulingForm(admin, id, body);
  if (form === "confirm-ruling") return handleConfirmRulingForm(admin, id, body);
  if (form === "withdraw-ruling") {
    return redirectToDispute(
      id,
      await escrow.withdrawRuling(admin, id, { proposal: parseId(body.get("proposal")) }),
      form,
    );
  }
  const press = Object.hasOwn(disputeButtonActions, form) ? disputeButtonActions[form] : undefined;
  if (press === undefined) throw notFound("form");
  return redirectToDispute(id, await press(admin, id), form);
}

async function handleRulingForm(admin: Member, id: number, body: FormData) {
  const read = readForm("rule", body, rulingSchema);
  if (!read.ok) return read.answer;
  const done = await escrow.ruleDispute(admin, id, read.value);
  if (done.ok) return redirectToDispute(id, done, done.state === "proposed" ? "propose" : "rule");
  return caseMovedRefusals.has(done.code) ? redirectToDispute(id, done, "rule") : read.refuse(done);
}

/** The second administrator confirms a proposed ruling by typing the amount. */
async function handleConfirmRulingForm(admin: Member, id: number, body: FormData) {
  const read = readForm("confirm-ruling", body, confirmRulingSchema);
  if (!read.ok) return read.answer;
  const done = await escrow.confirmRuling(admin, id, read.value);
  return done.ok || caseMovedRefusals.has(done.code)
    ? redirectToDispute(id, done, "confirm-ruling")
    : read.refuse(done);
}

/** Redirects to the dispute with a toast; if nothing changed, because it was done already, the toast says so. */
function redirectToDispute(id: number, done: DisputeActionOutcome, form: string): Response {
  const at = paths.adminDispute(id);
  if (!done.ok) return goTo(at, refusalToast(done));
  const key = done.changed ? (disputeToastKeys[form] ?? "") : "toast.payout.already";
  return goTo(at, { kind: done.changed ? "success" : "info", key });
}

type PreviewedRuling = escrow.RulingPreview & {
  ruling: "release" | "refund" | "split";
  refundAmount: number | null;
};

/** Previews the ruling in the address with its amounts; `error` if the ruling is not possible. */
export async function previewedRulingOf(admin: Member, id: number, search: URLSearchParams) {
  const asked = { ruling: search.get("ruling") ?? "", refundAmount: search.get("refund") ?? "" };
  const none = { draft: null, asked: { ...asked, error: null } };
  if (!["release", "refund", "split"].includes(asked.ruling)) return none;
  const split = asked.ruling === "split";
  const parsed = previewRulingSchema.safeParse({
    ruling: asked.ruling,
    ...(split && { refundAmount: parseAmount(asked.refundAmount) }),
  });
  if (!parsed.success)
    return {
      draft: null,
      asked: { ...asked, error: parsed.error.issues[0]?.message ?? "validation.invalid" },
    };
  const shown = await escrow.previewRuling(admin, id, parsed.data);
  if (!shown.ok) return { draft: null, asked: { ...asked, error: packRefusal(shown) } };
  const { ruling: of, refundAmount = null } = parsed.data;
  const draft: PreviewedRuling = { ...shown.ruling, ruling: of, refundAmount };
  return { draft, asked: { ...asked, error: null } };
}
