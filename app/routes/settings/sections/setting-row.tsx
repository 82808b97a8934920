import type { ReactNode } from "react";
import { useT } from "../../../ui/frame/i18n.tsx";
import { DisclosureRow } from "../../../ui/rows/disclosure-row.tsx";
import type { SettingsSection } from "./settings-forms.ts";

/** A setting as a line with its present value, which opens to its form. `open`: its form came back, or the address asks for it. */
export function SettingRow(props: {
  id: SettingsSection;
  value?: ReactNode;
  open?: boolean;
  tone?: "bad";
  children: ReactNode;
}) {
  const t = useT();
  return <DisclosureRow {...props} label={t(`settings.${props.id}.title`)} />;
}
