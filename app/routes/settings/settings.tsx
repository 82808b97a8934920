import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm, requireMember } from "#app/server/pages/page-context";
import { forwardActionHeaders } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { getTranslator } from "#locales";
import {
  type Member,
  notifiedDevices,
  ownPasskeys,
  pushKey,
  readNotificationChoices,
  readNotificationPreferences,
  readOwnProfile,
  secondFactorOf,
  sessionsOf,
} from "#modules/identity";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { RowGroup } from "../../ui/rows/row-group.tsx";
import type { Route } from "./+types/settings.ts";
import { DeleteSection } from "./sections/account/delete-section.tsx";
import { EmailSection } from "./sections/account/email-section.tsx";
import { MyDataSection } from "./sections/account/my-data-section.tsx";
import { NotificationsSection } from "./sections/notifications/notifications-section.tsx";
import { PushSection } from "./sections/notifications/push-section.tsx";
import { QuietSection } from "./sections/notifications/quiet-hours-section.tsx";
import { LanguageSection } from "./sections/preferences/language-section.tsx";
import { ThemeSection } from "./sections/preferences/theme-section.tsx";
import { FactorSection } from "./sections/second-factor/factor-section.tsx";
import { DevicesSection } from "./sections/sign-in/devices-section.tsx";
import { PasskeysSection } from "./sections/sign-in/passkeys-section.tsx";
import { PasswordSection } from "./sections/sign-in/password-section.tsx";
import { handleSettingsForm, repeatPasswordChange } from "./settings-actions.ts";

export async function loader({ context, request }: Route.LoaderArgs) {
  const member = requireMember(context, request);
  const query = new URL(request.url).searchParams;
  const asked = query.get("device");
  return {
    title: getTranslator(actorOf(context).language)("header.settings"),
    now: currentTime().toISOString(),
    asked: asked === "others" ? ("others" as const) : Number(asked),
    askedPasskey: { rename: Number(query.get("rename")), remove: Number(query.get("remove")) },
    ...(await readSettings(member)),
  };
}

/** Everything the page shows about a person; a person deleted since the request began is redirected to the landing page. */
async function readSettings(member: Member) {
  const [own, factor, passkeys, devices, chosen, notified, told] = await Promise.all([
    readOwnProfile(member),
    secondFactorOf(member),
    ownPasskeys(member),
    sessionsOf(member),
    readNotificationChoices(member),
    notifiedDevices(member),
    readNotificationPreferences(member),
  ]);
  if (!own.ok || !factor.ok || !passkeys.ok) throw goTo(paths.landing);
  if (!devices.ok || !chosen.ok || !notified.ok || !told.ok) throw goTo(paths.landing);
  const { username, email, emailVerified } = own.user;
  return {
    username,
    isAdmin: member.isAdmin,
    email,
    emailVerified,
    factor,
    passkeys: passkeys.passkeys,
    devices: devices.sessions,
    choices: chosen.notifications,
    pushKey: await pushKey(),
    notified: notified.devices,
    notificationPreferences: told.notificationPreferences,
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const body = await postedForm(request);
  const again = body.get("form") === "password" && (await repeatPasswordChange(context, request, body));
  return again || handleSettingsForm({ member: requireMember(context, request), body, request });
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Settings() {
  const t = useT();
  const {
    username,
    isAdmin,
    email,
    emailVerified,
    factor,
    passkeys,
    devices,
    choices,
    pushKey,
    notified,
    notificationPreferences,
    ...page
  } = useLoaderData<typeof loader>();
  const { asked, askedPasskey, now } = page;
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page width="text">
      <PageHead title={t("header.settings")} />
      <RowGroup title={t("settings.groups.look")}>
        <LanguageSection posted={posted} />
        <ThemeSection posted={posted} />
      </RowGroup>
      <RowGroup title={t("settings.groups.security")}>
        <PasswordSection username={username} isAdmin={isAdmin} withCode={factor.on} posted={posted} />
        <EmailSection email={email} confirmed={emailVerified} posted={posted} />
        <FactorSection factor={factor} />
        <PasskeysSection passkeys={passkeys} asked={askedPasskey} posted={posted} now={now} />
        <DevicesSection devices={devices} asked={asked} now={now} />
      </RowGroup>
      <RowGroup title={t("settings.groups.notifications")}>
        <NotificationsSection choices={choices} posted={posted} />
        <PushSection pushKey={pushKey} devices={notified} now={now} />
        <QuietSection notificationPreferences={notificationPreferences} posted={posted} />
      </RowGroup>
      <RowGroup title={t("settings.groups.data")}>
        <MyDataSection />
        <DeleteSection />
      </RowGroup>
    </Page>
  );
}
