import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { VaultMoments } from "../../../ui/trade/vault/vault-moments.tsx";
import type { OpenedVaultValues, VaultProps } from "../../../ui/trade/vault/vault-types.ts";
import { Checklist } from "./checklist.tsx";
import { OpenedValues, OpenForm } from "./values.tsx";

/** The buyer's view: a warning and one button; then, in the response to it only, the secrets; then the checklist. */
export function BuyerVault(
  props: VaultProps & { posted: PostedForm | null; values: OpenedVaultValues | null },
) {
  const t = useT();
  const { vault, can, values, posted, serverNow } = props;
  const again = vault.state === "opened";
  return (
    <>
      <BeforeOpening {...props} />
      {values !== null && <OpenedValues values={values} />}
      {can.openVault && !again && (
        <Card title={t("vault.open.title")}>
          <p>{t("vault.open.ready")}</p>
          <Disclosure id="open" summary={t("vault.open.button")}>
            <OpenForm again={false} />
          </Disclosure>
        </Card>
      )}
      {again && <Checklist vault={vault} posted={posted} serverNow={serverNow} open={can.checkVault} />}
      {values === null && <VaultMoments vault={vault} />}
      {can.openVault && again && values === null && (
        <Disclosure id="open" summary={t("vault.open.again")}>
          <OpenForm again />
        </Disclosure>
      )}
    </>
  );
}

function BeforeOpening({ vault, paid, over, checking, closedBy }: VaultProps) {
  const t = useT();
  if (checking && !over && vault.state !== "opened") {
    return (
      <Notice tone="warn" title={t("trade.outcome.held")}>
        <p>{t("vault.open.checking")}</p>
      </Notice>
    );
  }
  if (closedBy !== null && vault.state === "sealed") {
    return (
      <Notice tone="info">
        <p>{t(`vault.open.closedBy.${closedBy}`)}</p>
      </Notice>
    );
  }
  if (over) {
    return (
      <Notice tone="info">
        <p>{t(vault.state === "none" ? "vault.state.overNone" : "vault.state.over")}</p>
      </Notice>
    );
  }
  if (vault.state !== "none") return null;
  return (
    <Notice tone="info">
      <p>{t(paid ? "vault.state.waits" : "vault.state.earlyBuyer")}</p>
    </Notice>
  );
}
