import { formatLongMoment } from "#format";
import { paths } from "../../../paths.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { MoneyState, type MoneyStatus } from "../../../ui/trade/progress/money-state.tsx";
import type { CodeAnswer } from "./types.ts";

/** What Midman says about a trade, in the given language. */
export function AnswerCard({ answer, address }: { answer: CodeAnswer; address: string }) {
  const t = useT();
  const language = useLanguage();
  const { goods, state, money, changedAt, askedAt } = answer;
  return (
    <Card title={t("verify.lead")}>
      <div className="grid justify-items-start gap-2">
        <MoneyState money={badgeOf(money)} />
        <p className="text-lg font-bold text-balance" data-state={state}>
          {t(`verify.state.${state}`)}
        </p>
      </div>
      <FactList
        rows={[
          { label: t("verify.paysFor"), value: t(`trade.goods.${goods}`), strong: true },
          { label: t("verify.holds"), value: t(`verify.held.${money}`), strong: true },
          { label: t("verify.changed"), value: formatLongMoment(changedAt, language) },
          { label: t("verify.asked"), value: formatLongMoment(askedAt, language) },
        ]}
      />
      <Notice tone="warn" title={t("verify.elsewhere.title", { goods: t(`trade.goods.${goods}`) })}>
        <p>{t("verify.elsewhere.what")}</p>
        <a
          href={paths.reportCode(answer.code)}
          className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
        >
          {t("verify.elsewhere.report")}
        </a>
      </Notice>
      <p className="text-sm text-quiet">{t("verify.zone")}</p>
      <Address address={address} />
    </Card>
  );
}

/** The badge says the same as the row below it: nothing while the trade is checked, and of a part that the rest is awaited. */
function badgeOf(money: CodeAnswer["money"]): MoneyStatus {
  if (money === "checking") return "none";
  return money === "part" ? "waiting" : money;
}

/** A page is easily copied, its address is not: shows the address that the browser must display. */
export function Address({ address }: { address: string }) {
  const t = useT();
  const [before = "", after = ""] = t("verify.address", { address: "\n" }).split("\n");
  return (
    <p className="rounded-control bg-sunk px-3 py-2 text-sm wrap-anywhere">
      {before}
      <strong className="font-mono">{address}</strong>
      {after}
    </p>
  );
}
