import { formatLogMoment } from "#format";
import type { BackupStatus } from "#views/audit";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

/** The ages from which to warn. */
type WarningAges = { hours: number; days: number };

/** When the newest backup was made and when a drill last restored one, with a warning if that is too long ago. */
export function Backups({ made, isLate, drilled, isDrillLate, hours, days }: BackupStatus & WarningAges) {
  const t = useT();
  return (
    <Card title={t("admin.logs.backup.title")} id="backups">
      {isLate && <Notice tone="warn" title={t("admin.logs.backup.late", { hours })} />}
      {isDrillLate && <Notice tone="warn" title={t("admin.logs.backup.drillLate", { days })} />}
      <p>
        {made === null
          ? t("admin.logs.backup.none")
          : t("admin.logs.backup.made", { at: formatLogMoment(made) })}{" "}
        {drilled === null
          ? t("admin.logs.backup.undrilled")
          : t("admin.logs.backup.drilled", { at: formatLogMoment(drilled.at), seconds: drilled.seconds })}
      </p>
    </Card>
  );
}
