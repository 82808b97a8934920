import { formatMoment } from "#format";
import type { PayoutView, Sender } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";

interface ClaimProps {
  /** Who has claimed the transfer; null while nobody has. */
  sender: PayoutView["sender"];
  /** The reader may not claim it: they approved it, or count as the same reviewer as the administrator who did. */
  blind: boolean;
}

/** Who has claimed an approved payout, and the button by which the reader claims it or takes it over. */
export function PayoutClaim({ sender, blind }: ClaimProps) {
  const t = useT();
  if (sender === null) {
    if (blind) return null;
    return (
      <>
        <p>{t("admin.payout.claim.nobody")}</p>
        <ClaimForm from={null} label={t("admin.payout.claim.take")} />
      </>
    );
  }
  const { displayName: name, own } = sender;
  const at = formatMoment(sender.since);
  if (own) return <p className="font-semibold">{t("admin.payout.claim.own", { at })}</p>;
  return (
    <>
      <p className="font-semibold text-warn">{t("admin.payout.claim.other", { name, at })}</p>
      {!blind && (
        <Disclosure id="step-claim" summary={t("admin.payout.claim.over")}>
          <div className="grid gap-3">
            <p>{t("admin.payout.claim.ask", { name })}</p>
            <ClaimForm from={sender.id} label={t("admin.payout.claim.over")} />
          </div>
        </Disclosure>
      )}
    </>
  );
}

/** Who has claimed a payout, in a list's row. */
export function PayoutSender({ sender }: { sender: Pick<Sender, "displayName" | "since"> }) {
  const t = useT();
  const at = formatMoment(sender.since);
  return (
    <strong className="wrap-anywhere">{t("admin.payout.sender", { name: sender.displayName, at })}</strong>
  );
}

/** A payout is taken over only from the administrator whom the reader sees here. */
function ClaimForm({ from, label }: { from: number | null; label: string }) {
  return (
    <form method="post" className="grid justify-items-start">
      <input type="hidden" name="form" value="claim" />
      {from !== null && <input type="hidden" name="from" value={from} />}
      <Button look={from === null ? "primary" : "plain"}>{label}</Button>
    </form>
  );
}
