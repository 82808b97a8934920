import { resolveHoldSchema, stepReasonSchema } from "#forms/payments";
import { reportFraud, resolveTradeHold } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../../paths.ts";
import { goTo, notFound, parseId } from "../../../../server/pages/page-context.ts";
import { readForm } from "../../../../server/pages/posted-forms.ts";

/** Handles the forms of a trade's holds; the field `form` names which one: resolve a reason, or add one. */
export async function handleHoldForm(admin: Member, tradeId: number, body: FormData) {
  const here = paths.adminHolds(tradeId);
  const form = String(body.get("form"));
  if (form === "report") {
    const read = readForm("report", body, stepReasonSchema);
    if (!read.ok) return read.answer;
    const done = await reportFraud(admin, tradeId, read.value);
    return done.ok ? goTo(here, { kind: "success", key: "escrow.putOnHold" }) : read.refuse(done);
  }
  if (form !== "resolve") throw notFound("form");
  const id = parseId(body.get("hold"));
  const read = readForm(`hold-${id}`, body, resolveHoldSchema);
  if (!read.ok) return read.answer;
  const done = await resolveTradeHold(admin, id, read.value);
  if (!done.ok) return read.refuse(done);
  const key = done.state === "closed" ? "escrow.holdResolved" : "escrow.holdProposed";
  return goTo(here, { kind: "success", key });
}
