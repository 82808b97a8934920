import { paths } from "../../paths.ts";
import { useT } from "./i18n.tsx";

/** The sandbox's banner in one line, for a room that fills a phone's window. */
export function BriefSandboxBanner() {
  const t = useT();
  return (
    <aside
      data-noprint
      aria-label={t("sandbox.trial")}
      className="@container shrink-0 bg-warn-soft px-3 text-center text-warn"
    >
      <p className="line-clamp-1 text-xs leading-6 font-semibold break-all @max-[15rem]:line-clamp-none @max-[15rem]:leading-tight @max-[15rem]:break-normal">
        {t("sandbox.brief")}{" "}
        <a className="underline" href={paths.sandboxMail}>
          {t("sandbox.mailbox")}
        </a>
      </p>
    </aside>
  );
}
