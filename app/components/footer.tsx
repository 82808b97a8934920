import { paths } from "../paths.ts";
import { useT } from "./i18n.tsx";
import { Mark } from "./mark.tsx";

const links = [
  { to: paths.terms, key: "footer.terms" },
  { to: paths.privacy, key: "footer.privacy" },
  { to: paths.securityGuide, key: "footer.securityGuide" },
  { to: paths.faq, key: "footer.faq" },
  { to: paths.support, key: "footer.support" },
] as const;

/** The end of every page: what Midman promises in one line, and its papers. */
export function Footer() {
  const t = useT();
  return (
    <footer className="border-t border-line bg-sunk">
      <div className="mx-auto grid max-w-6xl gap-2 px-4 py-6 md:flex md:items-center md:justify-between">
        <p className="flex items-center gap-2 text-sm text-quiet md:max-w-80">
          <Mark className="size-5 text-khadag" />
          {t("footer.promise")}
        </p>
        <nav aria-label={t("footer.label")} className="xl:shrink-0">
          <ul className="grid grid-cols-2 gap-x-4 sm:block md:text-right">
            {links.map(({ to, key }) => (
              <li key={to} className="sm:inline-block sm:pr-4 md:pr-0 md:pl-4">
                <a
                  href={to}
                  className="inline-flex min-h-11 items-center text-sm max-sm:w-full font-semibold no-underline hover:underline"
                >
                  {t(key)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </div>
    </footer>
  );
}
