import type { InfoExchange } from "#views/escrow";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { SharedDetailsList } from "../../../ui/trade/shared-details.tsx";

type ExchangedDetails = InfoExchange["sellerInfo"] | InfoExchange["buyerInfo"];

/** What the buyer and the seller shared with each other, as administrators see it. */
export function ExchangeCard(props: {
  seller: InfoExchange["sellerInfo"];
  buyer: InfoExchange["buyerInfo"];
  sellerErased: boolean;
  buyerErased: boolean;
  sellerConfirmed: boolean;
  buyerConfirmed: boolean;
}) {
  const t = useT();
  return (
    <Card title={t("info.title")}>
      <Side
        title={t("roles.seller")}
        none={t(props.sellerErased ? "info.erased" : "admin.noSellerInfo")}
        given={props.seller}
        confirmed={props.sellerConfirmed}
      />
      <Side
        title={t("roles.buyer")}
        none={t(props.buyerErased ? "info.erased" : "admin.noBuyerInfo")}
        given={props.buyer}
        confirmed={props.buyerConfirmed}
      />
    </Card>
  );
}

function Side(props: { title: string; none: string; given: ExchangedDetails; confirmed: boolean }) {
  const t = useT();
  const given = props.given && { ...props.given, info: props.given.notes ?? null };
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">
        {props.title} · {t(props.confirmed ? "info.confirmed" : "info.notConfirmed")}
      </h3>
      <SharedDetailsList given={given} none={props.none} />
    </section>
  );
}
