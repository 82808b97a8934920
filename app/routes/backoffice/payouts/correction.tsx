import { formatLongMoment } from "#format";
import type { CorrectionView } from "#views/escrow";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { Moment } from "../moment.tsx";

interface Props {
  correction: CorrectionView;
  /** The account that is on record now. */
  account: CorrectionView["before"];
  state: string;
}

/** Warns that the owner replaced the account: both accounts, when and from which device, and whether the holder's name differs. */
export function Correction({ correction, account, state }: Props) {
  const t = useT();
  const language = useLanguage();
  const { before, holder, firstApproval, device } = correction;
  const said = (one: CorrectionView["before"]) =>
    one === null
      ? t("admin.payout.correction.erased")
      : [one.bankName, one.accountName, one.accountNumber, one.iban].filter(Boolean).join(" · ");
  const rows = [
    { label: t("admin.payout.correction.before"), value: said(before) },
    { label: t("admin.payout.correction.now"), value: said(account) },
    ...(holder === null
      ? []
      : [
          {
            label: t("admin.payout.correction.holder.label"),
            value: t(`admin.payout.correction.holder.${holder}`),
          },
        ]),
    { label: t("admin.payout.correction.at"), value: <Moment at={correction.at} /> },
    {
      label: t("admin.payout.correction.device"),
      value: device ?? t("admin.payout.correction.unknownDevice"),
    },
  ];
  const over = state !== "due" && state !== "approved";
  return (
    <Notice tone={over ? "info" : "warn"} title={t("admin.payout.correction.title")}>
      {!over && (
        <p>{t("admin.payout.correction.lead", { at: formatLongMoment(correction.payableFrom, language) })}</p>
      )}
      <div data-correction={holder ?? ""}>
        <FactList rows={rows} />
      </div>
      {state === "due" && firstApproval !== null && (
        <p className="font-semibold">
          {firstApproval.own
            ? t("admin.payout.correction.yours")
            : t("admin.payout.correction.first", { name: firstApproval.by })}
        </p>
      )}
    </Notice>
  );
}
