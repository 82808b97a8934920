import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm, requireMember, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm, refusalToast } from "#app/server/pages/posted-forms";
import { passkeyLimits, registerPasskeyForm } from "#forms/identity";
import { getTranslator } from "#locales";
import { ownPasskeys, passkeyTicketOf, registerPasskey } from "#modules/identity";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { Field } from "../../ui/forms/field.tsx";
import { PasskeyForm } from "../../ui/forms/passkey-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/new-passkey.ts";
import { redirectToConfirm, requireFreshMember } from "./fresh-login.ts";

const passkeysSectionPath = `${paths.settings}#passkeys`;

/** Adds a passkey, with a fresh login; afterwards returns to `next`. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireFreshMember(context, request);
  const own = await ownPasskeys(member);
  if (own.ok && own.passkeys.length >= passkeyLimits.most) {
    throw goTo(passkeysSectionPath, { kind: "info", key: "errors.PASSKEYS_FULL" });
  }
  return {
    title: getTranslator(actorOf(context).language)("settings.newPasskey.title"),
    here: hereOf(request),
    next: nextOf(request),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const form = readForm("passkey-new", await postedForm(request), registerPasskeyForm);
  if (!form.ok) return form.answer;
  const made = await registerPasskey(member, { ...form.value, ticket: passkeyTicketOf(request) });
  if (made.ok) return goTo(nextOf(request), { kind: "success", key: "identity.passkeyAdded" });
  if (made.code === "REAUTH_REQUIRED") return redirectToConfirm(hereOf(request));
  if (made.code === "PASSKEYS_FULL") return goTo(passkeysSectionPath, refusalToast(made));
  return form.refuse(made);
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), passkeysSectionPath);
}

/** This page's address with its `next`, whatever was posted. */
function hereOf(request: Request): string {
  const next = nextOf(request);
  return next === passkeysSectionPath ? paths.settingsPasskeyNew : paths.settingsPasskeyNewFor(next);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsPasskeyNew() {
  const t = useT();
  const { here } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const [, fields] = usePostedForm("passkey-new", registerPasskeyForm, posted);
  return (
    <Page width="narrow">
      <PageHead title={t("settings.newPasskey.title")} lead={t("settings.newPasskey.lead")} />
      <Card>
        <noscript>
          <Notice tone="info">
            <p>{t("settings.newPasskey.script")}</p>
          </Notice>
        </noscript>
        <div data-passkey-unsupported hidden className="grid [[hidden]]:hidden">
          <Notice tone="info">
            <p>{t("settings.newPasskey.unsupported")}</p>
          </Notice>
        </div>
        <PasskeyForm
          name="passkey-new"
          to={here}
          does="create"
          options="/api/users/me/passkeys/options"
          label={t("settings.newPasskey.go")}
          look="primary"
          posted={posted}
        >
          <Field
            label={t("settings.newPasskey.name")}
            hint={t("settings.newPasskey.hint")}
            field={fields.name}
            maxLength={passkeyLimits.name.max}
            autoComplete="off"
          />
        </PasskeyForm>
        <TextLink to={passkeysSectionPath}>{t("settings.back")}</TextLink>
      </Card>
    </Page>
  );
}
