import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from "lucide";
import { formatLogMoment } from "#format";
import type { AnchorStatus, ChainHead, LogCheck } from "#views/audit";
import { Button } from "../../../ui/forms/button.tsx";
import { CopyableValue } from "../../../ui/forms/copyable-value.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

/**
 * Shows that the log was not changed: how far it was verified, whether that is too long ago (`missing`), the newest head, and the command
 * to verify it independently.
 */
export function Chain(props: {
  newest: ChainHead | null;
  checked: LogCheck | null;
  missing: boolean;
  anchor: AnchorStatus;
}) {
  const t = useT();
  const { newest, checked, missing, anchor } = props;
  return (
    <Card title={t("admin.logs.chain")} id="chain">
      {missing && <Notice tone="warn" title={t("admin.logs.missing")} />}
      <ChainVerdict checked={checked} />
      <p className="max-w-3xl text-quiet">{t("admin.logs.chainWhy")}</p>
      {newest === null ? (
        <p>{t("admin.logs.noBlock")}</p>
      ) : (
        <>
          <p className="font-semibold tabular-nums">
            {t("admin.logs.newestBlock", {
              block: newest.block.toLocaleString("en-US"),
              at: formatLogMoment(newest.sealedAt),
            })}
          </p>
          <CopyableValue label={t("admin.logs.head")} value={`${newest.block}:${newest.head}`} />
          <AnchorState anchor={anchor} />
          <p className="max-w-3xl text-quiet">{t("admin.logs.offline")}</p>
          <p>
            <code className="rounded-control bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere box-decoration-clone">
              {`bun run audit:verify --head ${newest.block}:${newest.head}`}
            </code>
          </p>
        </>
      )}
      <PersonForm>
        <Button name="form" value="verify" look="plain">
          {t("admin.logs.verifyNow")}
        </Button>
      </PersonForm>
    </Card>
  );
}

/** Whether heads are stored outside this machine: a head that stays on the machine proves nothing against its owner. */
function AnchorState({ anchor: { kind, sent, failing } }: { anchor: AnchorStatus }) {
  const t = useT();
  return (
    <>
      {failing !== null && (
        <Notice tone="warn" title={t("admin.logs.anchor.failing", { at: formatLogMoment(failing.since) })}>
          {failing.reason !== null && <p className="font-mono text-sm wrap-anywhere">{failing.reason}</p>}
        </Notice>
      )}
      <p>
        {t(`admin.logs.anchor.${kind}`)}{" "}
        {sent === null
          ? t("admin.logs.anchor.unsent")
          : t("admin.logs.anchor.sent", {
              block: sent.block.toLocaleString("en-US"),
              at: formatLogMoment(sent.at),
            })}
      </p>
    </>
  );
}

function ChainVerdict({ checked }: { checked: LogCheck | null }) {
  const t = useT();
  if (checked === null) {
    return (
      <p className="flex gap-2 text-quiet">
        <Icon of={ShieldQuestionMark} />
        {t("admin.logs.unverified")}
      </p>
    );
  }
  const { ok, block } = checked;
  const at = formatLogMoment(checked.at);
  return (
    <div className="flex gap-3">
      <Icon of={ok ? ShieldCheck : ShieldAlert} className={`size-6 ${ok ? "text-good" : "text-bad"}`} />
      <div className="grid min-w-0 gap-1">
        <p className={`font-bold ${ok ? "text-good" : "text-bad"}`}>
          {t(ok ? "admin.logs.verified" : "admin.logs.broken")}
        </p>
        {ok ? (
          <p>
            {t("admin.logs.verifiedTo", {
              at,
              block: block.toLocaleString("en-US"),
              total: checked.entries.toLocaleString("en-US"),
            })}
          </p>
        ) : (
          <>
            <p>{t("admin.logs.brokenAt", { at, block: block.toLocaleString("en-US") })}</p>
            <p className="font-mono text-sm wrap-anywhere">{checked.reason}</p>
          </>
        )}
      </div>
    </div>
  );
}
