import { formatLongMoment } from "#format";
import {
  accountFieldLimits,
  confirmRestrictionInput,
  liftRestrictionInput,
  restrictInput,
  restrictionCauses,
  restrictionKinds,
} from "#forms/identity";
import type { RestrictionView } from "#views/identity";
import { paths } from "../../../paths.ts";
import { Button } from "../../../ui/forms/button.tsx";
import { CheckboxField, ChoiceField, Field, Select, TextField } from "../../../ui/forms/field.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { AdminErrors } from "../form-errors.tsx";
import type { UserShown } from "./types.ts";

interface Props {
  user: UserShown;
  /** The restriction that no administrator has lifted; it may have expired. */
  latest: RestrictionView | null;
  /** The first and the last day that one administrator may choose. */
  days: { first: string; last: string; usual: string };
  posted: PostedForm | null;
  open: string | null;
}

/** Forms to limit or suspend a person who abuses Midman, and to confirm or lift a restriction. */
export function Restrict(props: Props) {
  const t = useT();
  const { user, latest } = props;
  if (user.isAdmin) return <p className="text-sm text-quiet">{t("admin.restrict.adminFirst")}</p>;
  return (
    <>
      {latest?.inForce && latest.proposed && <Confirm {...props} latest={latest} />}
      {latest?.inForce && <LiftForm {...props} />}
      <RestrictForm {...props} />
    </>
  );
}

function RestrictForm({ user, latest, days, posted, open }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("restrict", restrictInput, posted, {
    kind: "suspend",
    until: days.usual,
  });
  const change = latest?.inForce === true;
  return (
    <Disclosure
      id="step-restrict"
      summary={t(change ? "admin.restrict.change" : "admin.restrict.title")}
      look="danger"
      open={posted?.form === "restrict" || open === "restrict"}
    >
      <PostForm name="restrict" to={paths.adminUser(user.id)}>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <ChoiceField
          label={t("admin.restrict.kind")}
          field={fields.kind}
          stacked
          options={restrictionKinds.map((value) => ({
            value,
            label: t(`admin.restrict.kinds.${value}`),
            hint: t(`admin.restrict.does.${value}`),
          }))}
        />
        <Select
          label={t("admin.restrict.cause")}
          field={fields.cause}
          hint={t("admin.restrict.causeHint")}
          options={[
            { value: "", label: t("admin.restrict.choose") },
            ...restrictionCauses.map((value) => ({
              value: value as string,
              label: t(`admin.restrict.causes.${value}`),
            })),
          ]}
          required
        />
        <Field
          label={t("admin.restrict.until")}
          field={fields.until}
          type="date"
          min={days.first}
          max={days.last}
          hint={t("admin.restrict.untilHint")}
          required
        />
        <TextField
          label={t("admin.restrict.note")}
          field={fields.note}
          hint={t("admin.restrict.noteHint")}
          maxLength={accountFieldLimits.note.max}
          required
        />
        <CheckboxField
          label={t("admin.restrict.forGood")}
          field={fields.forGood}
          hint={t("admin.restrict.forGoodHint")}
        />
        <p className="text-sm text-quiet">{t("admin.restrict.told")}</p>
        <Button look="danger" className="justify-self-start">
          {t("admin.restrict.go")}
        </Button>
      </PostForm>
    </Disclosure>
  );
}

function LiftForm({ user, posted, open }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("lift", liftRestrictionInput, posted);
  return (
    <Disclosure
      id="step-lift"
      summary={t("admin.restrict.lift")}
      open={posted?.form === "lift" || open === "lift"}
    >
      <p>{t("admin.restrict.liftAsk", { name: user.displayName })}</p>
      <PostForm name="lift" to={paths.adminUser(user.id)}>
        <AdminErrors id={form.errorId} errors={form.errors} />
        <TextField
          label={t("admin.restrict.liftNote")}
          field={fields.note}
          maxLength={accountFieldLimits.note.max}
          required
        />
        <Button className="justify-self-start">{t("admin.restrict.liftGo")}</Button>
      </PostForm>
    </Disclosure>
  );
}

function Confirm({ user, latest, posted }: Props & { latest: RestrictionView }) {
  const t = useT();
  const language = useLanguage();
  const [form] = usePostedForm("confirm-restriction", confirmRestrictionInput, posted);
  const obstacle = latest.proposed?.obstacle ?? null;
  return (
    <Notice tone="warn" title={t("admin.restrict.proposed")}>
      <p>
        {t("admin.restrict.proposedBy", {
          name: latest.by ?? "–",
          at: formatLongMoment(latest.at, language),
        })}
      </p>
      {obstacle === null ? (
        <PostForm name="confirm-restriction" to={paths.adminUser(user.id)} className="grid gap-3">
          <AdminErrors id={form.errorId} errors={form.errors} />
          <input type="hidden" name="restriction" value={latest.id} />
          <Button look="danger" className="justify-self-start">
            {t("admin.restrict.confirm")}
          </Button>
        </PostForm>
      ) : (
        <p className="font-semibold">{t(`admin.restrict.cannot.${obstacle}`)}</p>
      )}
    </Notice>
  );
}
