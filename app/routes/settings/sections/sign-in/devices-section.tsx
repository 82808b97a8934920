import { Monitor, Smartphone } from "lucide";
import type { ReactNode } from "react";
import { formatTimeAgo } from "#format";
import type { SignedInDevice } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { Button, ButtonLink } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";
import { DeviceRow, useDeviceName } from "./device-row.tsx";

/** Which sign-out waits for confirmation: of one device (0 is none), or of all others. */
type PendingSignOut = number | "others";

/** The devices on which the person is signed in, each with a sign-out; the confirmation is on the page, under its own address. */
export function DevicesSection(props: { devices: SignedInDevice[]; asked: PendingSignOut; now: string }) {
  const t = useT();
  const { devices, asked, now } = props;
  return (
    <SettingRow
      id="devices"
      value={devices.length}
      open={asked === "others" || devices.some(({ sessionId }) => sessionId === asked)}
    >
      <p className="text-quiet">
        {t(devices.length > 1 ? "settings.devices.lead" : "settings.devices.only")}
      </p>
      <ul className="grid divide-y divide-line">
        {devices.map((device) => (
          <li
            key={device.sessionId}
            id={`device-${device.sessionId}`}
            className="grid gap-3 py-4 first:pt-0 last:pb-0"
          >
            <Device device={device} now={now} asked={asked === device.sessionId} />
          </li>
        ))}
      </ul>
      {devices.length > 1 && <OtherDevicesForm asked={asked === "others"} />}
    </SettingRow>
  );
}

function Device({ device, now, asked }: { device: SignedInDevice; now: string; asked: boolean }) {
  const t = useT();
  const language = useLanguage();
  const handheld = /Android|iPhone|iPad|HarmonyOS/.test(device.system ?? "");
  const name = useDeviceName(device);
  const told = [
    t("settings.devices.last", { when: formatTimeAgo(device.lastSeenAt, now, language) }),
    t("settings.devices.first", { when: formatTimeAgo(device.createdAt, now, language) }),
    t("settings.devices.address", { ip: device.ip }),
  ];
  return (
    <>
      <DeviceRow icon={handheld ? Smartphone : Monitor} name={name} current={device.current} told={told}>
        {!device.current && !asked && (
          <ButtonLink to={`?device=${device.sessionId}#device-${device.sessionId}`}>
            {t("settings.devices.signOut")}
            <span className="sr-only">{name}</span>
          </ButtonLink>
        )}
      </DeviceRow>
      {asked && (
        <SignOutConfirmation
          question={t("settings.devices.sure")}
          yes={t("settings.devices.signOut")}
          form="device"
        >
          <input type="hidden" name="session" value={device.sessionId} />
        </SignOutConfirmation>
      )}
    </>
  );
}

function OtherDevicesForm({ asked }: { asked: boolean }) {
  const t = useT();
  if (!asked) {
    return (
      <ButtonLink to="?device=others#others" look="danger" className="justify-self-start">
        {t("settings.devices.others")}
      </ButtonLink>
    );
  }
  return (
    <div id="others">
      <SignOutConfirmation
        question={t("settings.devices.othersSure")}
        yes={t("settings.devices.others")}
        form="others"
      />
    </div>
  );
}

function SignOutConfirmation(props: { question: string; yes: string; form: string; children?: ReactNode }) {
  const t = useT();
  return (
    <PostForm
      name={props.form}
      to={paths.settings}
      className="grid gap-3 rounded-control border border-bad bg-bad-soft p-4"
    >
      {props.children}
      <p className="font-semibold">{props.question}</p>
      <div className="flex flex-wrap gap-2">
        <Button look="danger">{props.yes}</Button>
        <ButtonLink to={`${paths.settings}#devices`}>{t("chat.cancel")}</ButtonLink>
      </div>
    </PostForm>
  );
}
