import { useActionData, useLoaderData } from "react-router";
import { finishSignIn } from "#app/routes/auth/finish-sign-in";
import { signInOnRepeat } from "#app/routes/auth/repeated-post";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, postedForm, requireLeavingMember, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { confirmPasswordInput, passkeyAssertionForm } from "#forms/identity";
import { getTranslator } from "#locales";
import {
  confirmPassword,
  confirmWithPasskey,
  hasUsablePasskey,
  passkeyTicketOf,
  secondFactorOf,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { PasskeyForm } from "../../ui/forms/passkey-form.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/confirm-identity.ts";
import { ProofForm } from "./sections/sign-in/proof-form.tsx";

/** Asks a person to prove their identity again before a step that needs a fresh login, and then returns them to that step. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireLeavingMember(context, request);
  const factor = await secondFactorOf(member);
  const [passkey, next] = [await hasUsablePasskey(member), nextOf(request)];
  return {
    title: getTranslator(actorOf(context).language)("settings.confirm.title"),
    username: member.username,
    withCode: factor.ok && factor.on,
    passkey,
    passkeyOnly: member.mustUsePasskey,
    // That page needs a fresh login and would redirect back here, so a person on the way to it is not offered a passkey.
    offersPasskey: !passkey && next.split(/[?#]/, 1)[0] !== paths.settingsPasskeyNew,
    next,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const [body, next] = [await postedForm(request), nextOf(request)];
  const again = await signInOnRepeat({ actor, body, request, field: "password", next });
  if (again !== undefined) return again;
  const member = requireLeavingMember(context, request);
  const toast = { kind: "success", key: "identity.passwordConfirmed" } as const;
  if (body.get("form") === "passkey") {
    const form = readForm("passkey", body, passkeyAssertionForm);
    if (!form.ok) return form.answer;
    const proved = await confirmWithPasskey(member, { ...form.value, ticket: passkeyTicketOf(request) });
    return proved.ok ? finishSignIn(proved, { request, next, toast }) : form.refuse(proved);
  }
  const form = readForm("confirm", body, confirmPasswordInput);
  if (!form.ok) return form.answer;
  const proved = await runOrRefuseBusy(() => confirmPassword(member, form.value));
  if (!proved.ok) return form.refuse(proved);
  return finishSignIn(proved, { request, next, toast });
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), paths.settings);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsConfirm() {
  const t = useT();
  const { username, withCode, passkey, passkeyOnly, offersPasskey, next } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page width="narrow">
      <PageHead title={t("settings.confirm.title")} lead={!passkeyOnly && t("settings.confirm.why")} />
      <Card>
        {passkeyOnly && <Notice tone="info">{t("settings.confirm.passkeyOnly")}</Notice>}
        {passkey && (
          <PasskeyForm
            name="passkey"
            to={paths.settingsConfirm(next)}
            does="get"
            options="/api/auth/confirm-passkey/options"
            label={t("passkey.use")}
            look={passkeyOnly ? "primary" : "plain"}
            posted={posted}
          />
        )}
        {!passkeyOnly && (
          <ProofForm
            name="confirm"
            to={paths.settingsConfirm(next)}
            username={username}
            withCode={withCode}
            posted={posted}
            submit={t("settings.confirm.go")}
            cancel={paths.settings}
          />
        )}
      </Card>
      {offersPasskey && (
        <div>
          <p className="text-pretty text-quiet text-sm">{t("settings.confirm.offer")}</p>
          <TextLink to={paths.settingsPasskeyNewFor(next)}>{t("settings.passkeys.add")}</TextLink>
        </div>
      )}
    </Page>
  );
}
