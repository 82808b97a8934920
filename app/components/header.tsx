import type { ReactNode } from "react";
import { Link } from "react-router";
import { paths } from "../paths.ts";
import { useLanguage, useT } from "./i18n.tsx";

interface Person {
  displayName: string;
  email: string;
  avatarInitials: string;
  isAdmin: boolean;
}

/** Logo, the links of who is asking, language and theme. Everything is a link or a form: no script is needed. */
export function Header(props: { person: Person | null; path: string; theme: "light" | "dark" }) {
  const t = useT();
  return (
    <header className="border-b border-line bg-card">
      <a href="#main" className="sr-only focus:not-sr-only focus:block focus:p-3">
        {t("header.skip")}
      </a>
      <nav
        aria-label={t("header.navigation")}
        className="mx-auto flex max-w-6xl flex-wrap items-center gap-x-1 px-4 py-2 sm:gap-x-4"
      >
        <Link
          to={paths.landing}
          className="mr-auto inline-flex min-h-11 items-center text-xl font-extrabold text-brand no-underline"
        >
          {t("brand")}
        </Link>
        {props.person ? (
          <PersonLinks person={props.person}>
            <Preferences path={props.path} theme={props.theme} />
          </PersonLinks>
        ) : (
          <>
            <VisitorLinks />
            <Preferences path={props.path} theme={props.theme} />
          </>
        )}
      </nav>
    </header>
  );
}

const box = "min-h-11 min-w-11 items-center justify-center px-1 font-semibold";
const link = `inline-flex ${box}`;

/** The preferences live in the account's menu, so that the header stays one line on a phone. */
function PersonLinks({ person, children }: { person: Person; children: ReactNode }) {
  const t = useT();
  return (
    <>
      <Link to={paths.chat} className={link}>
        {t("header.chat")}
      </Link>
      {person.isAdmin && (
        <Link to={paths.admin} className={link}>
          {t("header.admin")}
        </Link>
      )}
      <details className="relative" data-menu>
        <summary className="flex min-h-11 min-w-11 cursor-pointer list-none items-center justify-end gap-2">
          <span
            aria-hidden
            className="grid size-9 place-items-center rounded-full bg-brand text-sm font-bold text-brand-ink"
          >
            {person.avatarInitials}
          </span>
          <span className="sr-only">{t("header.account")}</span>
        </summary>
        <div className="absolute right-0 z-40 mt-2 grid w-64 gap-2 rounded-lg border border-line bg-card p-4 shadow-lg">
          <p className="font-bold wrap-anywhere">{person.displayName}</p>
          <p className="text-sm text-quiet wrap-anywhere">{person.email}</p>
          {children}
          <form method="post" action={paths.logout}>
            <button type="submit" className={`${link} cursor-pointer text-bad`}>
              {t("header.signOut")}
            </button>
          </form>
        </div>
      </details>
    </>
  );
}

function VisitorLinks() {
  const t = useT();
  return (
    <>
      <Link to={`${paths.landing}#auth`} className={link}>
        {t("header.signIn")}
      </Link>
      <Link to={`${paths.landing}?tab=register#auth`} className={`hidden sm:inline-flex ${box}`}>
        {t("header.signUp")}
      </Link>
      <Link
        to={paths.adminLogin}
        className={link}
        aria-label={t("header.adminLogin")}
        title={t("header.adminLogin")}
      >
        <svg
          viewBox="0 0 24 24"
          width="20"
          height="20"
          aria-hidden="true"
          fill="none"
          stroke="currentColor"
          strokeWidth="2"
        >
          <path d="M12 3l7 3v5c0 5-3 8-7 10-4-2-7-5-7-10V6z" />
        </svg>
      </Link>
    </>
  );
}

function Preferences({ path, theme }: { path: string; theme: "light" | "dark" }) {
  const t = useT();
  const other = useLanguage() === "mn" ? "en" : "mn";
  return (
    <form method="post" action={paths.preferences} className="flex items-center gap-1">
      <input type="hidden" name="back" value={path} />
      <button type="submit" name="language" value={other} lang={other} className={`${link} cursor-pointer`}>
        <span aria-hidden className="sm:hidden">
          {other === "mn" ? "МН" : "EN"}
        </span>
        <span className="max-sm:sr-only">{other === "mn" ? "Монгол" : "English"}</span>
      </button>
      <button
        type="submit"
        name="theme"
        value={theme === "dark" ? "light" : "dark"}
        className={`${link} cursor-pointer`}
        aria-label={theme === "dark" ? t("header.lightTheme") : t("header.darkTheme")}
      >
        <span aria-hidden>{theme === "dark" ? "☀" : "☾"}</span>
      </button>
    </form>
  );
}
