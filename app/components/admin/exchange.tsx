import { Card } from "../card.tsx";
import { useT } from "../i18n.tsx";

type Given = Partial<
  Record<
    "name" | "accountName" | "bankName" | "accountNumber" | "iban" | "phoneNumber" | "email" | "notes",
    string | null
  >
>;

/** What the two sides gave each other, as administrators see it. */
export function ExchangeCard(props: {
  seller: Given | null;
  buyer: Given | null;
  sellerConfirmed: boolean;
  buyerConfirmed: boolean;
}) {
  const t = useT();
  return (
    <Card title={t("info.title")}>
      <Side
        title={t("roles.seller")}
        none={t("admin.noSellerInfo")}
        given={props.seller}
        confirmed={props.sellerConfirmed}
      />
      <Side
        title={t("roles.buyer")}
        none={t("admin.noBuyerInfo")}
        given={props.buyer}
        confirmed={props.buyerConfirmed}
      />
    </Card>
  );
}

function Side(props: { title: string; none: string; given: Given | null; confirmed: boolean }) {
  const t = useT();
  const given = props.given ?? {};
  const rows = [
    [t("info.name"), given.name],
    [t("info.accountName"), given.accountName],
    [t("info.bankName"), given.bankName],
    [t("info.accountNumber"), given.accountNumber],
    [t("info.iban"), given.iban],
    [t("info.phone"), given.phoneNumber],
    [t("info.email"), given.email],
    [t("info.text"), given.notes],
  ].filter(([, value]) => value);
  return (
    <section className="grid gap-1">
      <h3 className="font-semibold">
        {props.title} · {t(props.confirmed ? "info.confirmed" : "info.notConfirmed")}
      </h3>
      {rows.length === 0 && <p className="text-quiet">{props.none}</p>}
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-4 text-sm">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="whitespace-pre-wrap wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
