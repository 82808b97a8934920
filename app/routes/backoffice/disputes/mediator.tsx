import { formatLongMoment } from "#format";
import { mediatorMessageSchema } from "#forms/escrow";
import type { CaseView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";

interface Props {
  id: number;
  mediator: CaseView["mediator"];
  /** Which party last answered the mediator. */
  answered: { by: "buyer" | "seller"; at: string } | null;
  mine: boolean;
  ownTrade: boolean;
  posted: PostedForm | null;
}

/** Who handles the dispute, the forms to take it and give it back, and the mediator's messages to both parties. */
export function Mediator({ id, mediator, answered, mine, ownTrade, posted }: Props) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card title={t("dispute.mediator")}>
      {mediator === null ? (
        <p className="font-semibold text-warn">{t("admin.dispute.nobody")}</p>
      ) : (
        <p className="font-semibold wrap-anywhere" data-mediator={mediator.id}>
          {t(mine ? "admin.dispute.yours" : "admin.dispute.takenBy", { name: mediator.displayName })}
          <span className="font-normal text-quiet"> · {formatLongMoment(mediator.since, language)}</span>
        </p>
      )}
      {answered !== null && (
        <p className="flex flex-wrap items-baseline gap-x-4" data-answered={answered.by}>
          <strong>
            {t(`admin.dispute.answered.${answered.by}`, { at: formatLongMoment(answered.at, language) })}
          </strong>
          <TextLink to={paths.adminTranscript(id)}>{t("admin.dispute.answeredRead")}</TextLink>
        </p>
      )}
      {ownTrade && <p className="font-semibold text-warn">{t("errors.OWN_TRADE")}</p>}
      {!ownTrade && mediator === null && <TradeStepForm form="take" label={t("admin.dispute.take")} />}
      {mine && <Words posted={posted} />}
      {mine && <TradeStepForm form="give-back" label={t("admin.dispute.giveBack")} look="plain" />}
    </Card>
  );
}

function Words({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("mediate", mediatorMessageSchema, posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="mediate" />
      <FormErrors id={form.errorId} errors={form.errors} />
      <TextField label={t("admin.dispute.words")} hint={t("admin.dispute.wordsHint")} field={fields.words} />
      <Button className="justify-self-start">{t("admin.dispute.write")}</Button>
    </PersonForm>
  );
}
