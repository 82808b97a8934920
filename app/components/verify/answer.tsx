import { moment } from "#format";
import { Card } from "../card.tsx";
import { Facts } from "../facts.tsx";
import { useT } from "../i18n.tsx";
import { MoneyState } from "../money-state.tsx";
import type { Answer } from "./types.ts";

/** What Midman says of a trade, in the language around it. */
export function AnswerCard({ answer, address }: { answer: Answer; address: string }) {
  const t = useT();
  const { state, money, held, changedAt, askedAt } = answer;
  return (
    <Card title={t("verify.lead")}>
      <div className="grid justify-items-start gap-2">
        <MoneyState money={money} />
        <p className="text-lg font-bold text-balance" data-state={state}>
          {t(`verify.state.${state}`)}
        </p>
      </div>
      <Facts
        rows={[
          { label: t("verify.holds"), value: t(held ? "verify.yes" : "verify.no"), strong: true },
          { label: t("verify.changed"), value: moment(changedAt) },
          { label: t("verify.asked"), value: moment(askedAt) },
        ]}
      />
      <p className="text-sm text-quiet">{t("verify.zone")}</p>
      <Address address={address} />
    </Card>
  );
}

/** A page is easily copied, its address is not: what the browser must show. */
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
