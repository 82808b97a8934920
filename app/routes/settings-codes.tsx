import { useActionData, useLoaderData } from "react-router";
import { refusedToast } from "#app/http/forms";
import { actorOf, goTo, memberOnly, notFound, postedForm } from "#app/http/pages";
import { translator } from "#locales";
import { renewRecoveryCodes, secondFactorOf } from "#modules/identity";
import { Page, PageHead } from "../components/card.tsx";
import { useT } from "../components/i18n.tsx";
import { CodesRenew } from "../components/settings/codes-renew.tsx";
import { RecoveryCodes } from "../components/settings/recovery-codes.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/settings-codes.ts";
import { freshOnly, toConfirm } from "./settings-fresh.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = freshOnly(context, request);
  const factor = await secondFactorOf(member);
  if (factor.ok && !factor.on) throw goTo(`${paths.settings}#factor`);
  return {
    title: translator(actorOf(context).language)("settings.codes.renewTitle"),
    username: member.username,
  };
}

/** The codes leave in this very answer: they stand in no address, cookie or log. */
export async function action({ context, request }: Route.ActionArgs) {
  const member = memberOnly(context, request);
  if ((await postedForm(request)).get("form") !== "renew") throw notFound();
  const renewed = await renewRecoveryCodes(member);
  if (renewed.ok) return { codes: renewed.recoveryCodes };
  if (renewed.code === "REAUTH_REQUIRED") throw toConfirm(paths.settingsCodes);
  throw goTo(`${paths.settings}#factor`, refusedToast(renewed));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsCodes() {
  const t = useT();
  const { username } = useLoaderData<typeof loader>();
  const made = useActionData<typeof action>();
  return (
    <Page width="text">
      <PageHead title={t(made ? "settings.codes.title" : "settings.codes.renewTitle")} />
      {made ? <RecoveryCodes codes={made.codes} username={username} /> : <CodesRenew />}
    </Page>
  );
}
