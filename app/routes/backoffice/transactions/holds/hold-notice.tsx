import { paths } from "../../../../paths.ts";
import { TextLink } from "../../../../ui/forms/button.tsx";
import { useT, useText } from "../../../../ui/frame/i18n.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";

/** Says that a trade is on hold, why, and where each reason is resolved; nothing if it is not on hold. */
export function HoldNotice({ reasons, tradeId }: { reasons: readonly string[]; tradeId: number }) {
  const t = useT();
  const text = useText();
  if (reasons.length === 0) return null;
  return (
    <Notice tone="warn" title={t("admin.hold.title")}>
      <p className="first-letter:uppercase">
        {reasons.map((reason) => text(`admin.hold.reason.${reason}`)).join(" · ")}
      </p>
      <p>{t("admin.hold.lead")}</p>
      <TextLink to={paths.adminHolds(tradeId)}>{t("admin.hold.link")}</TextLink>
    </Notice>
  );
}
