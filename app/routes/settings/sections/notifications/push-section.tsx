import { BellRing } from "lucide";
import { formatTimeAgo } from "#format";
import type { NotifiedDevice } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { Button } from "../../../../ui/forms/button.tsx";
import { PostForm } from "../../../../ui/forms/post-form.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { SettingRow } from "../setting-row.tsx";
import { DeviceRow, useDeviceName } from "../sign-in/device-row.tsx";
import { PushSwitch } from "./push-switch.tsx";

/** Push notifications: the state of this device, which only its own script knows, then every device with a button to remove it. */
export function PushSection(props: { pushKey: string; devices: NotifiedDevice[]; now: string }) {
  const t = useT();
  const { pushKey, devices, now } = props;
  return (
    <SettingRow id="push" value={devices.length || t("settings.state.off")}>
      <p className="text-quiet">{t("settings.push.what")}</p>
      <PushSwitch pushKey={pushKey} on={devices.some(({ current }) => current)} />
      {devices.length > 0 && (
        <>
          <ul className="grid divide-y divide-line">
            {devices.map((device) => (
              <li key={device.id} className="py-4 first:pt-0 last:pb-0">
                <PushDeviceItem device={device} now={now} />
              </li>
            ))}
          </ul>
          <PostForm name="push-test" to={paths.settings}>
            <Button look="plain" className="justify-self-start">
              {t("settings.push.test")}
            </Button>
          </PostForm>
        </>
      )}
    </SettingRow>
  );
}

function PushDeviceItem({ device, now }: { device: NotifiedDevice; now: string }) {
  const t = useT();
  const language = useLanguage();
  const name = useDeviceName(device);
  const since = t("settings.push.since", { when: formatTimeAgo(device.createdAt, now, language) });
  const used =
    device.usedAt === null
      ? t("settings.push.unused")
      : t("settings.push.used", { when: formatTimeAgo(device.usedAt, now, language) });
  return (
    <DeviceRow icon={BellRing} name={name} current={device.current} told={[since, used]}>
      <PostForm name="push-off" to={paths.settings}>
        <input type="hidden" name="device" value={device.id} />
        <Button look="plain">
          {t("settings.push.remove")}
          <span className="sr-only">{name}</span>
        </Button>
      </PostForm>
    </DeviceRow>
  );
}
