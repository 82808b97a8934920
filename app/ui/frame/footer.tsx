import { paths } from "../../paths.ts";
import { MidmanMark } from "../layout/midman-mark.tsx";
import { useT } from "./i18n.tsx";

const footerLinks = [
  { to: paths.terms, key: "footer.terms" },
  { to: paths.privacy, key: "footer.privacy" },
  { to: paths.securityGuide, key: "footer.securityGuide" },
  { to: paths.faq, key: "footer.faq" },
  { to: paths.support, key: "footer.support" },
  { to: paths.proof, key: "footer.proof" },
] as const;

/** The end of every page: Midman's promise in one line, and links to its documents. */
export function Footer() {
  const t = useT();
  return (
    <footer className="border-t border-line bg-sunk">
      <div className="mx-auto grid max-w-6xl gap-2 px-4 py-6 md:flex md:flex-wrap md:items-center md:justify-between md:gap-x-6">
        <p className="flex items-center gap-2 text-sm text-quiet">
          <MidmanMark className="size-5 text-khadag" />
          {t("footer.promise")}
        </p>
        <nav aria-label={t("footer.label")}>
          <ul className="grid grid-cols-2 gap-x-4 sm:flex sm:flex-wrap">
            {footerLinks.map(({ to, key }) => (
              <li key={to} className="sm:pr-4 md:last:pr-0">
                <a
                  href={to}
                  className="inline-flex min-h-11 min-w-11 items-center text-sm max-sm:w-full font-semibold no-underline hover:underline"
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
