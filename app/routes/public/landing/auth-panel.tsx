import { loginInput, registerInput } from "#forms/identity";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import {
  Errors,
  Field,
  PasswordField,
  takesEmail,
  takesPasskey,
  takesUsername,
} from "../../../ui/forms/field.tsx";
import { PasskeyForm } from "../../../ui/forms/passkey-form.tsx";
import { type Posted, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { entrance, registering, signInAt, signUpAt } from "../../../ui/frame/entrance.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { useVisit } from "../../../ui/frame/visit.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Linked } from "../../../ui/layout/linked.tsx";
import { SuspendedHelp } from "../../../ui/layout/suspended-help.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { ForgotForm } from "../../auth/forgot-form.tsx";

/** What was typed before, in this form or in the one beside it. */
type Typed = Partial<Record<"username" | "displayName" | "email" | "avatarInitials", string | undefined>>;

interface Props {
  show: "login" | "register" | "forgot";
  /** The forgotten password's mail was asked for. */
  sent: boolean;
  next: string;
  typed: Typed;
  /** How long the mailed link works, in words. */
  resetLink: string;
  posted: Posted | null;
}

const forgetting = { dialog: "forgot-password" };

/** Sign in, sign up and the forgotten password; each is an address of its own, and only one form stands there at a time. */
export function AuthPanel(props: Props) {
  const t = useT();
  const { toast } = useVisit();
  const posted = props.posted?.form;
  const show = posted === "login" || posted === "register" || posted === "forgot" ? posted : props.show;
  return (
    // A toast stays at the window's edge: what an address leads to stands below it.
    <Card id="auth" label={t("auth.tabs")} className={toast === null ? "" : "scroll-mt-44!"}>
      <Tabs
        label={t("auth.tabs")}
        tabs={[
          { to: signInAt(props.next), label: t("header.signIn"), current: show !== "register" },
          { to: signUpAt(props.next), label: t("header.signUp"), current: show === "register" },
        ]}
      />
      {show === "login" && (
        <>
          <Login {...props} />
          <PasskeyForm
            name="passkey"
            to={entrance({}, props.next)}
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
            action={entrance(forgetting, props.next)}
            posted={props.posted}
            email={props.typed.email}
            sent={props.sent}
            resetLink={props.resetLink}
          />
          <TextLink to={signInAt(props.next)}>{t("auth.backToLogin")}</TextLink>
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
    <form method="post" action={entrance({}, next)} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="login" />
      <Errors id={form.errorId} errors={form.errors} />
      <SuspendedHelp errors={form.errors} />
      <Field label={t("auth.usernameOrEmail")} field={fields.username} {...takesPasskey} required />
      <PasswordField
        label={t("auth.password")}
        field={fields.password}
        autoComplete="current-password"
        required
      />
      <Button>{t("header.signIn")}</Button>
      <TextLink to={`${entrance(forgetting, next)}#auth`}>{t("auth.forgot")}</TextLink>
    </form>
  );
}

function Register({ posted, next, typed }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("register", registerInput, posted, typed);
  return (
    <form method="post" action={entrance(registering, next)} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="register" />
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.username")} field={fields.username} {...takesUsername} required />
      <Field label={t("auth.displayName")} field={fields.displayName} autoComplete="name" required />
      <Field label={t("auth.email")} field={fields.email} {...takesEmail} required />
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
        <Linked text={t("auth.consent")} />
      </p>
      <Button>{t("header.signUp")}</Button>
    </form>
  );
}
