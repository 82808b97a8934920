import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";

/** A day's transfers as a file for spreadsheets. */
export function Transfers({ today }: { today: string }) {
  const t = useT();
  return (
    <Card title={t("admin.moneyDesk.transfers")}>
      <p className="text-quiet">{t("admin.moneyDesk.transfersLead")}</p>
      <form action={paths.adminTransfers} className="flex flex-wrap items-end gap-3">
        <Field
          label={t("admin.recon.day")}
          field={{ id: "day", name: "day", errorId: "day-error", initialValue: today }}
          type="date"
          max={today}
        />
        <Button look="plain">{t("admin.moneyDesk.download")}</Button>
      </form>
    </Card>
  );
}
