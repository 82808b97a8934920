import type { PostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { LinkedText } from "../../../ui/layout/linked-text.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { Steps } from "../../../ui/layout/steps.tsx";
import { VaultMoments } from "../../../ui/trade/vault/vault-moments.tsx";
import type { VaultProps } from "../../../ui/trade/vault/vault-types.ts";
import { isChecklistDone } from "./checklist.tsx";
import { SealForm } from "./seal-form.tsx";

/** The seller's view: what the vault does, the form, and afterwards only what happened. */
export function SellerVault(props: VaultProps & { posted: PostedForm | null }) {
  const t = useT();
  const { vault, can, posted, clientId, room } = props;
  const again = vault.state !== "none";
  // A form that was refused because the trade has moved on is shown with the reason.
  const offered = can.seal || posted?.form === "seal";
  const form = <SealForm posted={posted} clientId={clientId} again={again} />;
  return (
    <>
      {/* A part of its own: it is kept up to date also while the form is being filled in. */}
      <div id="vault-state" data-part="vault-state" className="grid gap-6">
        <SealingSteps {...props} />
        <VaultMoments vault={vault} />
      </div>
      {offered && !again && <Card title={t("vault.form.title")}>{form}</Card>}
      {offered && again && (
        <Disclosure id="seal" summary={t("vault.form.again")} open={posted?.form === "seal"}>
          {form}
        </Disclosure>
      )}
      {can.seal && !again && (
        <p className="text-sm text-quiet">
          <LinkedText text={t("vault.physical", { room })} />
        </p>
      )}
    </>
  );
}

function SealingSteps({ vault, paid, over, checking, can }: VaultProps) {
  const t = useT();
  const opened = vault.state === "opened";
  if (over) {
    return (
      <Notice tone="info">
        <p>{t(vault.state === "none" ? "vault.state.overNone" : "vault.state.over")}</p>
      </Notice>
    );
  }
  if (checking) {
    return <Notice tone="warn" title={t("vault.state.checkingSeller")} />;
  }
  if (vault.state !== "none") {
    return (
      <Notice tone={opened ? "good" : "info"} title={t(opened ? "vault.state.opened" : "vault.state.sealed")}>
        {opened && <p>{t(isChecklistDone(vault) ? "vault.check.doneSeller" : "vault.check.waitsSeller")}</p>}
        <p>{t("vault.state.noReading")}</p>
      </Notice>
    );
  }
  const lines = ["encrypted", "recorded", "destroyed"] as const;
  return (
    <Card label={t("vault.title")}>
      {!paid && <Notice tone="warn" title={t("vault.state.earlySeller")} />}
      {paid && !can.seal && <Notice tone="info" title={t("vault.state.closed")} />}
      <Steps steps={lines.map((line) => ({ key: line, body: <p>{t(`vault.how.${line}`)}</p> }))} />
    </Card>
  );
}
