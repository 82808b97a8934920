import { CircleCheck } from "lucide";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";

/** Replaces the form after a request was sent: its number, and what happens next. */
export function SentRequest(props: { number: string; email: string; reply: string; phone: string | null }) {
  const t = useT();
  const { number, email, reply, phone } = props;
  return (
    <Card label={t("support.sentTitle")}>
      <div className="flex items-center gap-3 text-good">
        <Icon of={CircleCheck} className="size-8" />
        <h2 className="text-xl font-bold">{t("support.sentTitle")}</h2>
      </div>
      <p>
        {t("support.number")}{" "}
        <strong data-number className="rounded-control bg-sunk px-2 py-1 font-mono text-lg select-all">
          {number}
        </strong>
      </p>
      <ul className="grid list-disc gap-2 pl-5 wrap-anywhere">
        <li>{t("support.sentAnswer", { email, time: reply })}</li>
        <li>{t("support.sentReceipt")}</li>
        {phone !== null && <li>{t("support.sentUrgent", { phone })}</li>}
      </ul>
      <ButtonLink to={paths.support} className="justify-self-start">
        {t("support.again")}
      </ButtonLink>
    </Card>
  );
}
