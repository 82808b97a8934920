import { checkVaultSchema } from "#forms/escrow";
import type { VaultView } from "#views/escrow";
import { Button } from "../../../ui/forms/button.tsx";
import { CheckboxField, FormErrors } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";

const checklistItems = ["password", "secondFactor", "recovery"] as const;
/** In seconds: with less time left the clock is amber. */
const halfAnHour = 1_800;

/** True if every step that secures the account for the buyer is done. */
export function isChecklistDone({ checked }: Pick<VaultView, "checked">): boolean {
  return checklistItems.every((item) => checked[item]);
}

/** The clock of the checklist: how much of the hour is left, or that it is over. */
export function CheckClock({ vault, serverNow }: { vault: VaultView; serverNow: string }) {
  const t = useT();
  if (vault.checkBy === null) return null;
  if (vault.overdue) return <p className="font-semibold text-bad">{t("vault.check.overdue")}</p>;
  return (
    <p className="flex flex-wrap gap-x-2">
      {t("vault.check.left")}
      <Countdown until={vault.checkBy} serverNow={serverNow} near={halfAnHour} />
    </p>
  );
}

/** What the buyer does after opening the vault: three boxes, each ticked when done; a tick cannot be removed. */
export function Checklist(props: {
  vault: VaultView;
  posted: PostedForm | null;
  serverNow: string;
  open: boolean;
}) {
  const t = useT();
  const { vault, posted, serverNow } = props;
  const [form, fields] = usePostedForm("check", checkVaultSchema, posted);
  return (
    <Card title={t("vault.check.title")} id="checklist">
      <CheckClock vault={vault} serverNow={serverNow} />
      <PersonForm className="grid gap-1" noValidate>
        <input type="hidden" name="form" value="check" />
        <FormErrors id={form.errorId} errors={form.errors} />
        {checklistItems.map((item) => (
          <CheckboxField
            key={item}
            label={t(`vault.check.${item}`)}
            field={fields[item]}
            {...(vault.checked[item] && { defaultChecked: true })}
            disabled={vault.checked[item] || !props.open}
          />
        ))}
        {props.open && (
          <Button look="plain" className="mt-2">
            {t("vault.check.save")}
          </Button>
        )}
      </PersonForm>
      {isChecklistDone(vault) && <Notice tone="good" title={t("vault.check.done")} />}
    </Card>
  );
}
