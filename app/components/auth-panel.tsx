import { Link } from "react-router";
import { forgotPasswordInput, loginInput, registerInput } from "#forms/identity";
import { paths } from "../paths.ts";
import { Button, ButtonLink } from "./button.tsx";
import { Card } from "./card.tsx";
import { Errors, Field } from "./field.tsx";
import { useT } from "./i18n.tsx";
import { type Posted, usePostedForm } from "./posted-form.ts";

interface Props {
  tab: "login" | "register";
  forgot: boolean;
  next: string;
  posted: Posted | null;
}

/** Sign in, sign up and the forgotten password; each tab and the dialog is an address of its own. */
export function AuthPanel(props: Props) {
  const t = useT();
  const posted = props.posted?.form;
  const registering = posted === "register" || (posted === undefined && props.tab === "register");
  const forgot = posted === "forgot" || (posted === undefined && props.forgot);
  const query = `next=${encodeURIComponent(props.next)}`;
  return (
    <Card id="auth">
      <nav aria-label={t("auth.tabs")} className="grid grid-cols-2 gap-2">
        <ButtonLink to={`/?${query}#auth`} look={registering ? "plain" : "primary"}>
          {t("header.signIn")}
        </ButtonLink>
        <ButtonLink to={`/?tab=register&${query}#auth`} look={registering ? "primary" : "plain"}>
          {t("header.signUp")}
        </ButtonLink>
      </nav>
      {forgot ? <Forgot {...props} /> : registering ? <Register {...props} /> : <Login {...props} />}
    </Card>
  );
}

function Login({ posted, next }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("login", loginInput, posted);
  return (
    <form method="post" action={`/?next=${encodeURIComponent(next)}`} className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="login" />
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.username")} field={fields.username} autoComplete="username" required />
      <Field
        label={t("auth.password")}
        field={fields.password}
        type="password"
        autoComplete="current-password"
        required
      />
      <Button>{t("header.signIn")}</Button>
      <Link
        to="/?dialog=forgot-password#auth"
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline"
      >
        {t("auth.forgot")}
      </Link>
    </form>
  );
}

function Register({ posted, next }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("register", registerInput, posted);
  return (
    <form
      method="post"
      action={`/?tab=register&next=${encodeURIComponent(next)}`}
      className="grid gap-4"
      noValidate
    >
      <input type="hidden" name="form" value="register" />
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.username")} field={fields.username} autoComplete="username" required />
      <Field label={t("auth.displayName")} field={fields.displayName} autoComplete="name" required />
      <Field label={t("auth.email")} field={fields.email} type="email" autoComplete="email" required />
      <Field
        label={t("auth.password")}
        field={fields.password}
        type="password"
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
      />
      <p className="text-sm text-quiet">{t("auth.consent")}</p>
      <Button>{t("header.signUp")}</Button>
    </form>
  );
}

function Forgot({ posted }: Props) {
  const t = useT();
  const [form, fields] = usePostedForm("forgot", forgotPasswordInput, posted);
  return (
    <form method="post" action="/?dialog=forgot-password" className="grid gap-4" noValidate>
      <input type="hidden" name="form" value="forgot" />
      <h2 className="text-lg font-bold">{t("auth.forgot")}</h2>
      <Errors id={form.errorId} errors={form.errors} />
      <Field label={t("auth.email")} field={fields.email} type="email" autoComplete="email" required />
      <Button>{t("auth.sendLink")}</Button>
      <Link
        to={paths.landing}
        className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline"
      >
        {t("auth.backToLogin")}
      </Link>
    </form>
  );
}
