import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, memberOnly, postedForm } from "#app/server/pages/page-context";
import { keptHeaders } from "#app/server/pages/posted-forms";
import { now } from "#db/clock";
import { translator } from "#locales";
import {
  type Member,
  type NotifiedDevice,
  notificationChoices,
  notifiedDevices,
  type OwnPasskey,
  ownPasskeys,
  profile,
  pushKey,
  type SignedInDevice,
  secondFactorOf,
  sessionsOf,
  telling,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { Contents } from "../../ui/layout/document.tsx";
import type { Route } from "./+types/settings.ts";
import { actOnSettings, passwordAgain } from "./actions.ts";
import { DeleteSection } from "./sections/delete-account.tsx";
import { DevicesSection } from "./sections/devices.tsx";
import { EmailSection } from "./sections/email.tsx";
import { FactorSection } from "./sections/factor.tsx";
import { parts } from "./sections/forms.ts";
import { LanguageSection } from "./sections/language.tsx";
import { MyDataSection } from "./sections/my-data.tsx";
import { NotificationsSection } from "./sections/notifications.tsx";
import { PasskeysSection } from "./sections/passkeys.tsx";
import { PasswordSection } from "./sections/password.tsx";
import { PushSection } from "./sections/push.tsx";
import { QuietSection } from "./sections/quiet.tsx";
import { ThemeSection } from "./sections/theme.tsx";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = memberOnly(context, request);
  const query = new URL(request.url).searchParams;
  const asked = query.get("device");
  return {
    title: translator(actorOf(context).language)("header.settings"),
    now: now().toISOString(),
    asked: asked === "others" ? ("others" as const) : Number(asked),
    askedPasskey: { rename: Number(query.get("rename")), remove: Number(query.get("remove")) },
    ...(await standing(member)),
  };
}

/** Everything the page shows of a person; who was deleted since the request began is a visitor. */
async function standing(member: Member) {
  const [own, factor, passkeys, devices, chosen, notified, told] = await Promise.all([
    profile(member),
    secondFactorOf(member),
    ownPasskeys(member),
    sessionsOf(member),
    notificationChoices(member),
    notifiedDevices(member),
    telling(member),
  ]);
  if (!own.ok || !factor.ok || !passkeys.ok) throw goTo(paths.landing);
  if (!devices.ok || !chosen.ok || !notified.ok || !told.ok) throw goTo(paths.landing);
  const { username, email, emailVerified } = own.user;
  return {
    username,
    email,
    emailVerified,
    factor: {
      on: factor.on,
      since: factor.since?.toISOString() ?? null,
      left: factor.recoveryCodesLeft,
    },
    passkeys: passkeys.passkeys.map(shownPasskey),
    devices: devices.sessions.map(shown),
    choices: chosen.notifications,
    pushKey: await pushKey(),
    notified: notified.devices.map(shownNotified),
    telling: told.telling,
  };
}

function shownNotified({ id, browser, system, createdAt, usedAt, current }: NotifiedDevice) {
  return {
    id,
    browser,
    system,
    since: createdAt.toISOString(),
    used: usedAt?.toISOString() ?? null,
    current,
  };
}

function shownPasskey({ id, name, createdAt, lastUsedAt, copied }: OwnPasskey) {
  return { id, name, since: createdAt.toISOString(), used: lastUsedAt?.toISOString() ?? null, copied };
}

function shown({ sessionId, browser, system, ip, createdAt, lastSeenAt, current }: SignedInDevice) {
  const [firstSeen, lastSeen] = [createdAt.toISOString(), lastSeenAt.toISOString()];
  return { id: sessionId, browser, system, ip, firstSeen, lastSeen, current };
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const again = body.get("form") === "password" && (await passwordAgain(context, request, body));
  return again || actOnSettings({ member: memberOnly(context, request), body, request });
}

export const headers = keptHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Settings() {
  const t = useT();
  const {
    username,
    email,
    emailVerified,
    factor,
    passkeys,
    devices,
    choices,
    pushKey,
    notified,
    telling,
    ...page
  } = useLoaderData<typeof loader>();
  const { asked, askedPasskey, now } = page;
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <PageHead title={t("header.settings")} lead={t("settings.lead")} />
      <div className="grid items-start gap-6 lg:grid-cols-[16rem_minmax(0,44rem)] lg:gap-12">
        <Contents sections={parts.map((id) => ({ id, title: t(`settings.${id}.title`) }))} />
        <div className="grid min-w-0 gap-6">
          <LanguageSection posted={posted} />
          <ThemeSection posted={posted} />
          <PasswordSection username={username} withCode={factor.on} posted={posted} />
          <EmailSection email={email} confirmed={emailVerified} posted={posted} />
          <FactorSection factor={factor} />
          <PasskeysSection passkeys={passkeys} asked={askedPasskey} posted={posted} now={now} />
          <DevicesSection devices={devices} asked={asked} now={now} />
          <NotificationsSection choices={choices} posted={posted} />
          <PushSection pushKey={pushKey} devices={notified} now={now} />
          <QuietSection telling={telling} posted={posted} />
          <MyDataSection />
          <DeleteSection />
        </div>
      </div>
    </Page>
  );
}
