import { Copy } from "lucide";
import { useT } from "../frame/i18n.tsx";
import { Icon } from "../layout/icon.tsx";
import { Button, SpokenContext } from "./button.tsx";

/** A value with its copy button; without script the value can be selected. `shown` is the same value formatted for reading, in groups. */
export function CopyableValue(props: { label: string; value: string; shown?: string }) {
  const t = useT();
  const { label, value, shown = value } = props;
  return (
    <div className="grid gap-1">
      <p className="text-sm font-semibold">{label}</p>
      <p className="flex flex-wrap items-center gap-2">
        <output className="min-w-0 rounded-control bg-sunk px-3 py-2 font-mono wrap-anywhere">{shown}</output>
        <CopyButton value={value} label={t("chat.copy")} of={label} />
      </p>
    </div>
  );
}

/** Copies a text on the page; the button appears only if scripts run. `of` names the text for screen readers if several can be copied. */
export function CopyButton({ value, label, of }: { value: string; label: string; of?: string }) {
  const t = useT();
  return (
    <Button type="button" look="plain" hidden data-copy={value} data-copied={t("toast.copied")}>
      <Icon of={Copy} className="size-4" />
      {label}
      {of !== undefined && <SpokenContext of={of} />}
    </Button>
  );
}
