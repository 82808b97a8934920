import { paths } from "../../paths.ts";
import { useT } from "./i18n.tsx";

/** Shown on every page while payments are simulated: nobody may mistake sandbox money for real money. */
export function SandboxBanner() {
  const t = useT();
  return (
    <aside
      data-noprint
      aria-label={t("sandbox.trial")}
      className="bg-warn-soft flex flex-wrap items-center justify-center gap-x-2 px-3 pt-1 text-center text-xs font-semibold text-warn md:pt-0 md:text-sm"
    >
      {t("sandbox.banner")}
      <a className="-my-2 inline-flex min-h-11 items-center px-2 underline md:my-0" href={paths.sandboxMail}>
        {t("sandbox.mailbox")}
      </a>
    </aside>
  );
}
