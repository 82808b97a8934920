import { formatLongMoment } from "#format";
import { stepReasonSchema } from "#forms/payments";
import type { DiscardedProposal, ProposalView } from "#views/escrow";
import { Button } from "../../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../../ui/forms/field.tsx";
import { PersonForm } from "../../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { Disclosure } from "../../../../ui/layout/disclosure.tsx";
import { Notice } from "../../../../ui/layout/notice.tsx";

/** A payment that one administrator has entered: who, and whether the reader may confirm it. */
export function Proposal({
  proposal: { by, own, obstacle },
}: {
  proposal: Pick<ProposalView, "by" | "own" | "obstacle">;
}) {
  const t = useT();
  return (
    <Notice
      tone={own ? "info" : "warn"}
      title={t(own ? "admin.byHandPage.yours" : "admin.byHandPage.proposed", { name: by })}
    >
      <p>
        {obstacle === null
          ? t(own ? "admin.byHandPage.yoursHint" : "admin.byHandPage.proposedHint")
          : t(`errors.${obstacle}`)}
      </p>
    </Notice>
  );
}

interface DiscardFormProps {
  /** The form's name, if a page has several. */
  name?: string;
  /** What the form discards; also the name of the field that holds its id. */
  of: "proposal" | "settlement";
  id: number;
  posted: PostedForm | null;
}

/** A form to discard an entry that waits for a second administrator, with a reason. */
export function DiscardForm({ name = "lay-aside", of, id, posted }: DiscardFormProps) {
  const t = useT();
  const [form, fields] = usePostedForm(name, stepReasonSchema, posted);
  return (
    <Disclosure
      id={`step-${name}`}
      summary={t("admin.byHandPage.layAside")}
      look="danger"
      open={posted?.form === name}
    >
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="lay-aside" />
        <input type="hidden" name={of} value={id} />
        <FormErrors id={form.errorId} errors={form.errors} />
        <TextField
          label={t("admin.byHandPage.why")}
          hint={t("admin.byHandPage.whyHint")}
          field={fields.reason}
        />
        <Button look="danger">{t("admin.byHandPage.layAside")}</Button>
      </PersonForm>
    </Disclosure>
  );
}

/** Discarded entries, newest first. */
export function DiscardedProposals({ all }: { all: DiscardedProposal[] }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card title={t("admin.byHandPage.laidAside")}>
      <ul className="grid gap-4">
        {all.map(({ id, by, asideBy, at, reason }) => (
          <li key={id} className="grid gap-1 border-l-4 border-line pl-3">
            <p className="text-sm text-quiet">
              {t("admin.byHandPage.asideBy", { by, name: asideBy, at: formatLongMoment(at, language) })}
            </p>
            <p className="whitespace-pre-wrap wrap-anywhere">{reason}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}
