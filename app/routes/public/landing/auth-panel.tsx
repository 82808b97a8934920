import { consentVersions, loginInput, registerInput } from "#forms/identity";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import {
  emailInputProps,
  Field,
  FormErrors,
  PasswordField,
  passkeyInputProps,
  usernameInputProps,
} from "../../../ui/forms/field.tsx";
import { PasskeyForm } from "../../../ui/forms/passkey-form.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { landingPath, registerQuery, signInPath, signUpPath } from "../../../ui/frame/sign-in-paths.ts";
import { useVisit } from "../../../ui/frame/visit.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { LinkedText } from "../../../ui/layout/linked-text.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { SuspendedHelp } from "../../../ui/layout/suspended-help.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { ForgotForm } from "../../auth/forgot-form.tsx";

/** What was typed before, in this form or in the other one. */
type TypedFields = Partial<
  Record<"username" | "displayName" | "email" | "avatarInitials", string | undefined>
>;

interface Props {
  show: "login" | "register" | "forgot";
  /** The email that resets the password was requested. */
  sent: boolean;
  next: string;
  typed: TypedFields;
  /** How long the mailed link is valid, in words. */
  resetLink: string;
  posted: PostedForm | null;
  /** The day from which announced new documents apply, in words. */
  documentsChange: string | null;
}

const forgotPasswordQuery = { dialog: "forgot-password" };

/** Sign in, sign up and forgotten password; each has its own address, and one form is shown at a time. */
export function AuthPanel(props: Props) {
  const t = useT();
  const { toast } = useVisit();
  const posted = props.posted?.form;
  const show = posted === "login" || posted === "register" || posted === "forgot" ? posted : props.show;
  return (
    // The toast stays at the window's edge, so an anchor must scroll to a place below it.
    <Card id="auth" label={t("auth.tabs")} className={toast === null ? "" : "scroll-mt-44!"}>
      <Tabs
        label={t("auth.tabs")}
        tabs={[
          { to: signInPath(props.next), label: t("header.signIn"), current: show !== "register" },
          { to: signUpPath(props.next), label: t("header.signUp"), current: show === "register" },
        ]}
      />
      {props.documentsChange !== null && (
        <Notice tone="info">{t("documents.changeOn", { date: props.documentsChange })}</Notice>
      )}
      {show === "login" && (
        <>
          <Login {...props} />
          <PasskeyForm
            name="passkey"
            to={landingPath({}, props.next)}
            does="get"
            options="/api/auth/passkey/options"
            door="login"
            label={t("passkey.signIn")}
            posted={props.posted}
          />
        </>
      )}
      {show === "register" && <Register {...props} />}
      {show === "forgot" && (
        <>
          <ForgotForm
            action={landingPath(forgotPasswordQuery, props.next)}
            posted={props.posted}
            email={props.typed.email}
            sent={props.sent}
            resetLink={props.resetLink}
          />
          <TextLink to={signInPath(props.next)}>{t("auth.backToLogin")}</TextLink>
        </>
      )}
    </Card>
  );
}

function Login({ posted, next, typed }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("login", loginInput, posted, {
    username: typed.email ?? typed.username,
  });
  return (
    <PersonForm action={landingPath({}, next)} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="login" />
      <FormErrors id={form.errorId} errors={form.errors} />
      <SuspendedHelp errors={form.errors} />
      <Field label={t("auth.usernameOrEmail")} field={fields.username} {...passkeyInputProps} required />
      <PasswordField
        label={t("auth.password")}
        field={fields.password}
        autoComplete="current-password"
        required
      />
      <Button>{t("header.signIn")}</Button>
      <TextLink to={`${landingPath(forgotPasswordQuery, next)}#auth`}>{t("auth.forgot")}</TextLink>
    </PersonForm>
  );
}

function Register({ posted, next, typed }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("register", registerInput, posted, typed);
  return (
    <PersonForm action={landingPath(registerQuery, next)} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="register" />
      <input type="hidden" name="terms" value={consentVersions.terms} />
      <input type="hidden" name="privacy" value={consentVersions.privacy} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.username")} field={fields.username} {...usernameInputProps} required />
      <Field label={t("auth.displayName")} field={fields.displayName} autoComplete="name" required />
      <Field label={t("auth.email")} field={fields.email} {...emailInputProps} required />
      <PasswordField
        label={t("auth.password")}
        field={fields.password}
        autoComplete="new-password"
        hint={t("auth.passwordHint")}
        required
      />
      <Field
        label={t("auth.initials")}
        field={fields.avatarInitials}
        maxLength={2}
        hint={t("auth.initialsHint")}
        autoComplete="off"
        autoCapitalize="characters"
      />
      <p className="text-sm text-quiet">
        <LinkedText text={t("auth.consent")} />
      </p>
      <Button>{t("header.signUp")}</Button>
    </PersonForm>
  );
}
