import { paths } from "../paths.ts";
import { useT } from "./i18n.tsx";

/** Stands on every page while payments are played: nobody may take sandbox money for real money. */
export function SandboxBanner() {
  const t = useT();
  return (
    <aside
      data-noprint
      aria-label={t("sandbox.trial")}
      className="bg-warn-soft flex flex-wrap items-center justify-center gap-x-2 px-4 pt-2 text-center md:pt-0 text-sm font-semibold text-warn"
    >
      {t("sandbox.banner")}
      <a className="inline-flex min-h-11 items-center underline" href={paths.sandboxMail}>
        {t("sandbox.mailbox")}
      </a>
    </aside>
  );
}
