import { TriangleAlert } from "lucide";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

/** The code does not exist: a person who gave it as proof may be lying. */
export function UnknownCodeCard() {
  const t = useT();
  return (
    <Card>
      <p className="flex items-center gap-3 text-lg font-bold text-bad">
        <span className="grid size-11 shrink-0 place-items-center rounded-full bg-bad-soft">
          <Icon of={TriangleAlert} className="size-6" />
        </span>
        {t("verify.unknown.title")}
      </p>
      <p>{t("verify.unknown.hint")}</p>
      <p className="text-quiet">{t("verify.unknown.again")}</p>
    </Card>
  );
}
