import { formatMoney, type Language } from "#format";
import { mongolianBanks } from "#forms/escrow";
import type { AdminTradeView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink, SpokenContext } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { BankName } from "../../../ui/trade/bank-name.tsx";

export type PayoutShown = AdminTradeView["payouts"][number];

/** One payout or refund: amount, recipient and state; its next step is taken on its own page. */
export function PayoutItem({ payout }: { payout: PayoutShown }) {
  const t = useT();
  const language = useLanguage();
  const { destination } = payout;
  return (
    <section className="grid gap-3 border-t border-line pt-3" aria-label={t(`admin.kind.${payout.kind}`)}>
      <p className="flex flex-wrap items-baseline justify-between gap-x-4">
        <strong>
          {t(`admin.kind.${payout.kind}`)} · <span data-payout-state>{t(`admin.state.${payout.state}`)}</span>
        </strong>
        <strong className="ml-auto text-xl tabular-nums">{formatMoney(payout.amount)}</strong>
      </p>
      {destination === null ? (
        <p className="text-warn">{t("admin.noDestination")}</p>
      ) : (
        <p className="wrap-anywhere">
          <BankName name={destination.bankName} /> · {destination.accountName}
        </p>
      )}
      {payout.payerBanks.length > 0 && (
        <p className="text-sm text-quiet">
          {t("admin.cameFrom", { banks: bankNames(payout.payerBanks, language) })}
        </p>
      )}
      {payout.bankReference && <p className="font-mono text-sm">{payout.bankReference}</p>}
      <ButtonLink to={paths.adminPayout(payout.id)} look={isPayoutWaiting(payout) ? "primary" : "plain"}>
        {t(`admin.work.open.${payout.kind}`)}
        <SpokenContext of={`${formatMoney(payout.amount)}, ${t(`admin.state.${payout.state}`)}`} />
      </ButtonLink>
    </section>
  );
}

function isPayoutWaiting({ state, referenceMissing }: PayoutShown): boolean {
  return state === "due" || state === "approved" || state === "unknown" || referenceMissing;
}

/** Bank names by code; an unknown code is returned unchanged. */
export function bankNames(codes: string[], language: Language): string {
  return codes
    .map((code) => mongolianBanks.find((bank) => bank.code === code)?.[language] ?? code)
    .join(", ");
}
