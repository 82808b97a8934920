import { Copy } from "lucide-react";
import { Button } from "./button.tsx";
import { useT } from "./i18n.tsx";
import { Icon } from "./icon.tsx";

/** A value to take along, with its copy button; the value can be selected by hand where no script runs. */
export function Copyable({ label, value }: { label: string; value: string }) {
  const t = useT();
  return (
    <div className="grid gap-1">
      <p className="text-sm font-semibold">{label}</p>
      <p className="flex flex-wrap items-center gap-2">
        <output className="min-w-0 rounded-control bg-sunk px-3 py-2 font-mono wrap-anywhere">{value}</output>
        <Button type="button" look="plain" hidden data-copy={value} data-copied={t("toast.copied")}>
          <Icon of={Copy} className="size-4" />
          {t("chat.copy")}
        </Button>
      </p>
    </div>
  );
}
