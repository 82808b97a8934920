import { moment } from "#format";
import { because } from "#forms/payments";
import { Button } from "../button.tsx";
import { Card } from "../card.tsx";
import { Errors, TextField } from "../field.tsx";
import { Fold } from "../fold.tsx";
import { useT } from "../i18n.tsx";
import { type Posted, usePostedForm } from "../posted-form.ts";

interface WaitingShown {
  id: number;
  by: string;
  own: boolean;
  obstacle: "PROPOSER_NOT_ADMIN" | "FOUR_EYES_RELATED" | null;
  enteredAt: string;
}

/** What was entered and nobody has confirmed: by whom, whether this reader may, and the way to lay it aside. */
export function SettlementsWaiting({ waiting, posted }: { waiting: WaitingShown[]; posted: Posted | null }) {
  const t = useT();
  return (
    <Card title={t("admin.settlements.waiting")}>
      <ul className="grid gap-6">
        {waiting.map((one) => (
          <li key={one.id} className="grid gap-1">
            <p className="font-semibold wrap-anywhere">
              {t("admin.settlements.entered", { name: one.by, at: moment(one.enteredAt) })}
            </p>
            <p className={one.obstacle === null ? "text-quiet" : "font-semibold text-warn"}>{t(hint(one))}</p>
            <LayAside id={one.id} posted={posted} />
          </li>
        ))}
      </ul>
    </Card>
  );
}

function hint({ own, obstacle }: WaitingShown) {
  if (obstacle !== null) return `errors.${obstacle}` as const;
  return own ? "admin.settlements.yoursHint" : "admin.settlements.othersHint";
}

function LayAside({ id, posted }: { id: number; posted: Posted | null }) {
  const t = useT();
  const name = `lay-aside-${id}`;
  const [form, fields] = usePostedForm(name, because, posted);
  return (
    <Fold
      id={`step-${name}`}
      summary={t("admin.byHandPage.layAside")}
      look="danger"
      open={posted?.form === name}
    >
      <form method="post" className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="lay-aside" />
        <input type="hidden" name="settlement" value={id} />
        <Errors id={form.errorId} errors={form.errors} />
        <TextField
          label={t("admin.byHandPage.why")}
          hint={t("admin.byHandPage.whyHint")}
          field={fields.reason}
        />
        <Button look="danger">{t("admin.byHandPage.layAside")}</Button>
      </form>
    </Fold>
  );
}
