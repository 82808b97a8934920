import { accountFieldLimits, deleteUserInput, editUserInput } from "#forms/identity";
import type { RestrictionView } from "#views/identity";
import { paths } from "../../../paths.ts";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PostForm } from "../../../ui/forms/post-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { TradeStepForm } from "../../../ui/trade/trade-step-form.tsx";
import { Restrict } from "./restriction-forms.tsx";
import type { UserShown } from "./types.ts";

interface ActionsProps {
  user: UserShown;
  /** The page shows the administrator's own account. */
  own: boolean;
  /** The administrator's login is fresh enough for these actions. */
  fresh: boolean;
  /** Where the administrator signs in again before returning. */
  signIn: string;
  posted: PostedForm | null;
  /** The disclosure that the address opens. */
  open: string | null;
  /** The restriction that no administrator has lifted, and the days that can be chosen. */
  latest: RestrictionView | null;
  days: { first: string; last: string; usual: string };
}

/** What an administrator can do with an account; each action asks for confirmation and is recorded. */
export function UserActions(props: ActionsProps) {
  const t = useT();
  const { user, own, fresh } = props;
  const name = user.displayName;
  return (
    <Card title={t("admin.actions")}>
      {!fresh && (
        <Notice tone="info">
          <p>{t("admin.users.fresh")}</p>
          <ButtonLink to={props.signIn} className="justify-self-start">
            {t("admin.users.signInAgain")}
          </ButtonLink>
        </Notice>
      )}
      <EditUser {...props} />
      {user.isAdmin ? (
        <TradeStepForm
          form="remove-admin"
          label={t("admin.users.removeAdmin")}
          look="danger"
          ask={t("admin.users.removeAdminAsk", { name })}
        />
      ) : (
        <TradeStepForm
          form="make-admin"
          label={t("admin.users.makeAdmin")}
          look="plain"
          ask={t("admin.users.makeAdminAsk", { name })}
        />
      )}
      {!own && (
        <TradeStepForm
          form="sign-out"
          label={t("admin.users.signOut")}
          look="plain"
          ask={t("admin.users.signOutAsk", { name })}
        />
      )}
      {!own && user.secondFactor && (
        <TradeStepForm
          form="factor-off"
          label={t("admin.users.factorOff")}
          look="danger"
          ask={t("admin.users.factorOffAsk", { name })}
        />
      )}
      {!own && user.passkeys > 0 && (
        <TradeStepForm
          form="passkeys-off"
          label={t("admin.users.passkeysOff")}
          look="danger"
          ask={t("admin.users.passkeysOffAsk", { name })}
        />
      )}
      {!own && <Restrict {...props} />}
      {!own && <DeleteUser {...props} />}
    </Card>
  );
}

function EditUser({ user, posted, open }: ActionsProps) {
  const t = useT();
  const { displayName, phoneNumber, bankAccount } = user;
  const defaults = { displayName, phoneNumber, bankAccount };
  const [form, fields] = usePostedForm("edit", editUserInput, posted, defaults);
  return (
    <Disclosure
      id="step-edit"
      summary={t("admin.users.edit")}
      open={posted?.form === "edit" || open === "edit"}
    >
      <PostForm name="edit" to={paths.adminUser(user.id)} form={form}>
        <Field
          label={t("admin.users.column.displayName")}
          field={fields.displayName}
          maxLength={accountFieldLimits.displayName.max}
          autoComplete="off"
          required
        />
        <Field
          label={t("profile.phone")}
          field={fields.phoneNumber}
          type="tel"
          inputMode="tel"
          autoComplete="off"
          maxLength={accountFieldLimits.phoneNumber.max}
        />
        <Field
          label={t("profile.bank")}
          field={fields.bankAccount}
          autoComplete="off"
          spellCheck={false}
          maxLength={accountFieldLimits.bankAccount.max}
        />
        <p className="text-sm text-quiet">{t("admin.users.editHint")}</p>
        <Button className="justify-self-start">{t("profile.save")}</Button>
      </PostForm>
    </Disclosure>
  );
}

function DeleteUser({ user, posted, open }: ActionsProps) {
  const t = useT();
  const [form, fields] = usePostedForm("delete-user", deleteUserInput, posted);
  const here = posted?.form === "delete-user";
  return (
    <Disclosure
      id="step-delete-user"
      summary={t("admin.users.delete")}
      look="danger"
      open={here || open === "delete"}
    >
      {here && <Notice tone="bad" title={t("admin.users.deleteFailed")} />}
      <p>{t("admin.users.deleteAsk", { name: user.displayName })}</p>
      <PostForm name="delete-user" to={paths.adminUser(user.id)} form={form}>
        <Field
          label={t("admin.users.confirm", { username: user.username })}
          field={fields.confirmation}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          required
        />
        <div className="flex flex-wrap gap-2">
          <Button look="danger">{t("admin.users.deleteGo")}</Button>
          <ButtonLink to={paths.adminUser(user.id)}>{t("chat.cancel")}</ButtonLink>
        </div>
      </PostForm>
    </Disclosure>
  );
}
