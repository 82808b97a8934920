import { useActionData, useLoaderData } from "react-router";
import { finishSignIn } from "#app/routes/auth/finish-sign-in";
import { signInOnRepeat } from "#app/routes/auth/repeated-post";
import { runOrRefuseBusy } from "#app/server/pages/hashing-overload";
import { actorOf, goTo, postedForm, requireMember } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { confirmPasswordInput } from "#forms/identity";
import { getTranslator } from "#locales";
import { confirmPassword, removeSecondFactor, secondFactorOf } from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/second-factor-off.ts";
import { ProofForm } from "./sections/sign-in/proof-form.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const factor = await secondFactorOf(member);
  if (factor.ok && !factor.on) {
    throw goTo(`${paths.settings}#factor`, { kind: "info", key: "settings.off.already" });
  }
  return {
    title: getTranslator(actorOf(context).language)("settings.off.title"),
    username: member.username,
  };
}

/** Password and code are required however fresh the login is: an unlocked phone must not be enough. */
export async function action({ context, request }: Route.ActionArgs) {
  const actor = actorOf(context);
  const [body, next] = [await postedForm(request), `${paths.settings}#factor`];
  const again = await signInOnRepeat({ actor, body, request, field: "password", next });
  if (again !== undefined) return again;
  const member = requireMember(context, request);
  const form = readForm("off", body, confirmPasswordInput);
  if (!form.ok) return form.answer;
  const proved = await runOrRefuseBusy(() => confirmPassword(member, form.value));
  if (!proved.ok) return form.refuse(proved);
  const renewed = { ...member, sessionId: proved.sessionId, authenticatedAt: currentTime() };
  const removed = await removeSecondFactor(renewed);
  if (!removed.ok) return form.refuse(removed);
  return finishSignIn(proved, {
    request,
    next,
    toast: { kind: "success", key: "identity.secondFactorOff" },
  });
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SettingsFactorOff() {
  const t = useT();
  const { username } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page width="narrow">
      <PageHead title={t("settings.off.title")} lead={t("settings.off.why")} />
      <Card>
        <ProofForm
          name="off"
          to={paths.settingsFactorOff}
          username={username}
          withCode
          posted={posted}
          submit={t("settings.factor.turnOff")}
          look="danger"
          cancel={`${paths.settings}#factor`}
        />
      </Card>
    </Page>
  );
}
