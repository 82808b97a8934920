import { ShieldAlert, ShieldCheck, ShieldQuestionMark } from "lucide";
import { formatLogMoment, formatMoney } from "#format";
import { Button } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

const verifyCommand = "bun run ledger:verify";
const operationsGuide = "docs/operations.md";
const ledgerSums = ["held", "suspense", "paidOut", "fees", "refunded"] as const;

interface LedgerProps {
  /** The latest verification of the whole ledger; null before the first. */
  check:
    | ({ at: string | Date; sums: Record<(typeof ledgerSums)[number] | "received", number> } & (
        | { ok: true }
        | { ok: false; problems: Array<{ code: string; count: number; examples: string[] }> }
      ))
    | null;
  /** The ledger has not been verified for too long. */
  missing: boolean;
  /** A single database role both owns and uses the ledger. */
  oneRole: boolean;
}

/** Whether the ledger balances: the result of its last verification, its totals, and the command to verify it independently. */
export function Ledger({ check, missing, oneRole }: LedgerProps) {
  const t = useT();
  return (
    <Card title={t("admin.ledger.title")} id="ledger">
      {missing && <Notice tone="warn" title={t("admin.ledger.missing")} />}
      {oneRole && <Notice tone="warn" title={t("admin.ledger.oneRole", { guide: operationsGuide })} />}
      <Verdict check={check} />
      {check !== null && <Sums of={check.sums} />}
      <p className="max-w-3xl text-quiet">{t("admin.ledger.why")}</p>
      <p>
        <code className="rounded-control bg-sunk px-3 py-2 font-mono text-sm">{verifyCommand}</code>
      </p>
      <PersonForm>
        <Button name="form" value="verify" look="plain">
          {t("admin.ledger.verifyNow")}
        </Button>
      </PersonForm>
    </Card>
  );
}

function Verdict({ check }: Pick<LedgerProps, "check">) {
  const t = useT();
  const text = useText();
  if (check === null) {
    return (
      <p className="flex gap-2 text-quiet">
        <Icon of={ShieldQuestionMark} />
        {t("admin.ledger.unverified")}
      </p>
    );
  }
  const { ok } = check;
  return (
    <div className="flex gap-3">
      <Icon of={ok ? ShieldCheck : ShieldAlert} className={`size-6 ${ok ? "text-good" : "text-bad"}`} />
      <div className="grid min-w-0 gap-1">
        <p className={`font-bold ${ok ? "text-good" : "text-bad"}`}>
          {t(ok ? "admin.ledger.whole" : "admin.ledger.broken")}
        </p>
        <p>{t(ok ? "admin.ledger.wholeAt" : "admin.ledger.brokenAt", { at: formatLogMoment(check.at) })}</p>
        {!ok && (
          <ul className="grid gap-1">
            {check.problems.map(({ code, count, examples }) => (
              <li key={code} className="wrap-anywhere">
                {`${text(`admin.ledger.problem.${code}`)}: ${count.toLocaleString("en-US")} `}
                <span className="font-mono text-sm">{`(${examples.join(", ")})`}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}

/** The amount received is the total of all others. */
function Sums({ of }: { of: NonNullable<LedgerProps["check"]>["sums"] }) {
  const t = useT();
  return (
    <dl className="grid max-w-md grid-cols-[minmax(0,1fr)_auto] gap-x-6 gap-y-1 tabular-nums">
      {(["received", ...ledgerSums] as const).map((name) => (
        <div key={name} className="contents">
          <dt className={name === "received" ? "font-bold" : "text-quiet"}>
            {t(`admin.ledger.sum.${name}`)}
          </dt>
          <dd className={`text-right ${name === "received" ? "font-bold" : ""}`}>{formatMoney(of[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
