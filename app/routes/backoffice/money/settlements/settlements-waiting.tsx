import { formatLongMoment } from "#format";
import type { Settlements } from "#views/escrow";
import type { PostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { DiscardForm } from "../../transactions/manual-payment/proposal.tsx";

/** Entered settlements that nobody has confirmed: by whom, whether this administrator may confirm, and a form to discard each. */
export function SettlementsWaiting({
  waiting,
  posted,
}: {
  waiting: Settlements["waiting"];
  posted: PostedForm | null;
}) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card title={t("admin.settlements.waiting")}>
      <ul className="grid gap-6">
        {waiting.map((one) => (
          <li key={one.id} className="grid gap-1">
            <p className="font-semibold wrap-anywhere">
              {t("admin.settlements.entered", {
                name: one.by,
                at: formatLongMoment(one.enteredAt, language),
              })}
            </p>
            <p className={one.obstacle === null ? "text-quiet" : "font-semibold text-warn"}>
              {t(confirmationHint(one))}
            </p>
            <DiscardForm name={`lay-aside-${one.id}`} of="settlement" id={one.id} posted={posted} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function confirmationHint({ own, obstacle }: Settlements["waiting"][number]) {
  if (obstacle !== null) return `errors.${obstacle}` as const;
  return own ? "admin.settlements.yoursHint" : "admin.settlements.othersHint";
}
