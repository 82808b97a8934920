import type { IconNode } from "lucide";
import type { ReactNode } from "react";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Badge } from "../../../../ui/layout/badge.tsx";
import { Icon } from "../../../../ui/layout/icon.tsx";

/** The name of a device: browser and system, or "unknown". */
export function useDeviceName({
  browser,
  system,
}: {
  browser: string | null;
  system: string | null;
}): string {
  const t = useT();
  return [browser, system].filter(Boolean).join(", ") || t("settings.devices.unknown");
}

/** A device in a list: its name, its details line by line, and its actions. */
export function DeviceRow(props: {
  icon: IconNode;
  name: string;
  /** Whether it is the device that shows this page. */
  current: boolean;
  told: string[];
  children: ReactNode;
}) {
  const t = useT();
  return (
    <div className="flex flex-wrap items-start gap-x-3 gap-y-2">
      <div className="mr-auto flex min-w-0 items-start gap-3">
        <Icon of={props.icon} className="mt-0.5 size-6 text-brand" />
        <div className="grid min-w-0 gap-1">
          <p className="flex flex-wrap items-center gap-x-3 gap-y-1 font-semibold wrap-anywhere">
            {props.name}
            {props.current && <Badge tone="brand">{t("settings.devices.this")}</Badge>}
          </p>
          {props.told.map((line) => (
            <p key={line} className="text-sm text-quiet wrap-anywhere">
              {line}
            </p>
          ))}
        </div>
      </div>
      {props.children}
    </div>
  );
}
