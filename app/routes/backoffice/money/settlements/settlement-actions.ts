import { settlementSchema, stepReasonSchema } from "#forms/payments";
import { discardSettlementEntry, enterSettlement } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../../paths.ts";
import { goTo, notFound, parseId } from "../../../../server/pages/page-context.ts";
import { readForm, refusalToast } from "../../../../server/pages/posted-forms.ts";

/** Handles the forms of the settlements page; the field `form` names which one: enter a settlement, or discard an entry. */
export async function handleSettlementForm(admin: Member, body: FormData) {
  const form = String(body.get("form"));
  if (form === "lay-aside") return discardSettlement(admin, body);
  if (form !== "settlement") throw notFound("form");
  const read = readForm("settlement", body, settlementSchema);
  if (!read.ok) return read.answer;
  const done = await enterSettlement(admin, read.value);
  if (done.ok) {
    const key = done.state === "recorded" ? "escrow.settlementRecorded" : "escrow.settlementProposed";
    return goTo(paths.adminSettlements, { kind: "success", key });
  }
  return read.refuse(done);
}

/** Discards an entered settlement that waits for confirmation. Refused or not, the page shows its current state. */
async function discardSettlement(admin: Member, body: FormData) {
  const id = parseId(body.get("settlement"));
  const read = readForm(`lay-aside-${id}`, body, stepReasonSchema);
  if (!read.ok) return read.answer;
  const done = await discardSettlementEntry(admin, id, read.value);
  const told = done.ok
    ? ({ kind: "success", key: "escrow.settlementLaidAside" } as const)
    : refusalToast(done);
  return goTo(paths.adminSettlements, told);
}
