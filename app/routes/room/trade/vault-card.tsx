import { formatLongMoment } from "#format";
import type { TradeView, VaultView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { CheckClock } from "../vault/checklist.tsx";

/**
 * The vault in the room's panel: its state, its running clock, and the link to its page. Empty if there is nothing to show; does not offer
 * the vault while the payment is checked.
 */
export function VaultCard(props: {
  trade: {
    vault: VaultView;
    can: Pick<TradeView["can"], "seal" | "openVault">;
    receivedOtherwiseAt: string | null;
    heldForChecking: boolean;
  };
  role: "buyer" | "seller";
  serverNow: string;
  room: { id: number };
  /** Without a card of its own, in a row that has its title. */
  bare?: boolean;
}) {
  const t = useT();
  const language = useLanguage();
  const { trade, role, serverNow, room } = props;
  const { vault, can } = trade;
  if (vault.state === "none" && !can.seal) return null;
  if (vault.state === "none" && trade.heldForChecking) return null;
  const sealing = can.seal && vault.state === "none" && trade.receivedOtherwiseAt === null;
  const first = sealing || (can.openVault && vault.state === "sealed");
  const body = (
    <>
      <p>{said(props)}</p>
      {role === "buyer" && <CheckClock vault={vault} serverNow={serverNow} />}
      <ButtonLink to={paths.vault(room.id)} look={first ? "primary" : "plain"}>
        {t(vault.state === "none" ? "vault.card.seal" : "vault.card.view")}
      </ButtonLink>
    </>
  );
  return props.bare ? body : <Card title={t("vault.title")}>{body}</Card>;

  function said({ trade: { vault } }: typeof props): string {
    if (vault.state === "none") return t("vault.card.whySeal");
    if (vault.state === "destroyed") return t("vault.card.destroyed");
    if (vault.openedAt !== null)
      return t("vault.card.opened", { at: formatLongMoment(vault.openedAt, language) });
    if (role === "buyer") return t("vault.card.sealedForYou");
    return t("vault.card.sealed", { at: formatLongMoment(vault.sealedAt ?? "", language) });
  }
}
