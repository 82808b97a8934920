import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, notFound, postedForm, requireMember } from "#app/server/pages/page-context";
import { refusalToast } from "#app/server/pages/posted-forms";
import { getTranslator } from "#locales";
import { renewRecoveryCodes, secondFactorOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/recovery-codes.ts";
import { redirectToConfirm, requireFreshMember } from "./fresh-login.ts";
import { RecoveryCodes } from "./sections/second-factor/recovery-codes.tsx";
import { RenewCodesForm } from "./sections/second-factor/renew-codes-form.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireFreshMember(context, request);
  const factor = await secondFactorOf(member);
  if (factor.ok && !factor.on) throw goTo(`${paths.settings}#factor`);
  return {
    title: getTranslator(actorOf(context).language)("settings.codes.renewTitle"),
    username: member.username,
  };
}

/** The codes are sent in this response only: they are in no address, cookie or log. */
export async function action({ context, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  if ((await postedForm(request)).get("form") !== "renew") throw notFound("form");
  const renewed = await renewRecoveryCodes(member);
  if (renewed.ok) return { codes: renewed.recoveryCodes };
  if (renewed.code === "REAUTH_REQUIRED") throw redirectToConfirm(paths.settingsCodes);
  throw goTo(`${paths.settings}#factor`, refusalToast(renewed));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsCodes() {
  const t = useT();
  const { username } = useLoaderData<typeof loader>();
  const made = useActionData<typeof action>();
  return (
    <Page width="text">
      <PageHead title={t(made ? "settings.codes.title" : "settings.codes.renewTitle")} />
      {made ? <RecoveryCodes codes={made.codes} username={username} /> : <RenewCodesForm />}
    </Page>
  );
}
