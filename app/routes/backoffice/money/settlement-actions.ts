import { because, settlement } from "#forms/payments";
import { enterSettlement, setSettlementAside } from "#modules/escrow";
import type { Member } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { goTo, idIn, notFound } from "../../../server/pages/page-context.ts";
import { readForm, refusedToast } from "../../../server/pages/posted-forms.ts";

/** The forms of the page of settlements, told apart by their field `form`: one is entered, or what was entered is laid aside. */
export async function actOnSettlements(admin: Member, body: FormData) {
  const form = String(body.get("form"));
  if (form === "lay-aside") return setAside(admin, body);
  if (form !== "settlement") throw notFound();
  const read = readForm("settlement", body, settlement);
  if (!read.ok) return read.answer;
  const done = await enterSettlement(admin, read.value);
  if (done.ok) {
    const key = done.state === "recorded" ? "escrow.settlementRecorded" : "escrow.settlementProposed";
    return goTo(paths.adminSettlements, { kind: "success", key });
  }
  return read.refuse(done);
}

/** What was entered waits for nobody any more; refused or not, the page shows how it stands now. */
async function setAside(admin: Member, body: FormData) {
  const id = idIn(body.get("settlement"));
  const read = readForm(`lay-aside-${id}`, body, because);
  if (!read.ok) return read.answer;
  const done = await setSettlementAside(admin, id, read.value);
  const told = done.ok
    ? ({ kind: "success", key: "escrow.settlementLaidAside" } as const)
    : refusedToast(done);
  return goTo(paths.adminSettlements, told);
}
