import { useT } from "../../ui/frame/i18n.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { SharedDetailsList } from "../../ui/trade/shared-details.tsx";
import type { PartyContact, TradeShown } from "../../ui/trade/types.ts";

/** What the parties have shared, read-only: it is entered and confirmed in the room. */
export function InformationSummary({ trade, role }: { trade: TradeShown; role: "buyer" | "seller" }) {
  const t = useT();
  const other = role === "buyer" ? "seller" : "buyer";
  return (
    <Card title={t("info.title")}>
      <PartyInformation
        title={t("info.theirs", { role: t(`roles.${other}`) })}
        of={trade.theirs}
        over={trade.over}
      />
      <PartyInformation title={t("info.mine")} of={trade.mine} over={trade.over} />
    </Card>
  );
}

function PartyInformation({ title, of, over }: { title: string; of: PartyContact; over: boolean }) {
  const t = useT();
  const given = Object.values(of).some((value) => typeof value === "string");
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">{title}</h3>
      <SharedDetailsList
        given={of}
        none={t(of.erased ? "info.erased" : over ? "info.notGiven" : "info.notProvided")}
      />
      {given && <p className="text-sm">{t(of.confirmed ? "info.confirmed" : "info.notConfirmed")}</p>}
    </section>
  );
}
