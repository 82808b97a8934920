import type { IconNode } from "lucide";
import { Headset, History, LogIn, Menu, MessagesSquare, ShieldCheck, UserPlus } from "lucide";
import type { ReactNode } from "react";
import { paths } from "../../paths.ts";
import { Icon } from "../layout/icon.tsx";
import { MidmanMark } from "../layout/midman-mark.tsx";
import { AccountLinks, AccountMenu, type MenuPerson } from "./account-menu.tsx";
import { useT } from "./i18n.tsx";
import { Preferences } from "./preferences.tsx";
import { signInPath, signUpPath } from "./sign-in-paths.ts";
import { VisitUnreadMark } from "./unread-count.tsx";

/**
 * Logo, navigation, language and theme; on a phone the links are in a drawer. Everything is a link, a form or a `<details>`: no script is
 * needed.
 */
export function Header(props: { person: MenuPerson | null; path: string; theme: "light" | "dark" }) {
  const t = useT();
  const { person } = props;
  const preferences = <Preferences path={props.path} theme={props.theme} />;
  return (
    // Right-aligned content would move while the page arrives in pieces: the header is hidden until the element after it has begun.
    <header className="relative border-b border-line bg-card not-has-[~*]:invisible">
      <div aria-hidden="true" className="h-1 bg-khadag" />
      <nav
        aria-label={t("header.navigation")}
        // With a large font the menu has a line of its own.
        className="mx-auto flex max-w-6xl flex-wrap items-center justify-end gap-1 px-4 py-1.5"
      >
        <a
          href={person ? paths.chat : paths.landing}
          className="mr-auto inline-flex min-h-11 items-center gap-2 text-xl font-extrabold tracking-tight text-ink no-underline"
        >
          <MidmanMark className="size-8 text-khadag" />
          <Brand isRoomList={person !== null && props.path.split("?")[0] === paths.chat} />
          {person && (
            <span className="md:hidden">
              <VisitUnreadMark />
            </span>
          )}
        </a>
        {person ? <MemberLinks admin={person.isAdmin} /> : <VisitorLinks path={props.path} />}
        <div className="max-md:hidden">{preferences}</div>
        {person && (
          <div className="max-md:hidden">
            <AccountMenu person={person} />
          </div>
        )}
        <details data-menu className="group md:hidden">
          <summary className="grid size-11 cursor-pointer place-items-center rounded-control group-open:bg-sunk">
            <Icon of={Menu} className="size-6" />
            <span className="sr-only">{t("header.menu")}</span>
          </summary>
          <div className="absolute inset-x-0 top-full z-40 grid gap-1 border-b border-line bg-card px-4 py-3 shadow-lift">
            <Drawer person={person} path={props.path} />
            <div className="border-t border-line pt-2">{preferences}</div>
          </div>
        </details>
      </nav>
    </header>
  );
}

/** The name; over the list of rooms on a phone the page's title, which else would take a line of its own. */
function Brand({ isRoomList }: { isRoomList: boolean }) {
  const t = useT();
  if (!isRoomList) return t("brand");
  return (
    <>
      <span className="max-sm:sr-only">{t("brand")}</span>
      <span aria-hidden="true" className="sm:hidden">
        {t("chat.title")}
      </span>
    </>
  );
}

const headerLinkClasses =
  "inline-flex min-h-11 items-center gap-2 rounded-control px-3 font-semibold no-underline hover:bg-sunk";

function MemberLinks({ admin }: { admin: boolean }) {
  const t = useT();
  return (
    <div className="flex max-md:hidden">
      {memberLinks.map(({ to, key }) => (
        <a key={to} href={to} className={headerLinkClasses}>
          {t(key)}
          {to === paths.chat && <VisitUnreadMark />}
        </a>
      ))}
      {admin && (
        <a href={paths.admin} className={headerLinkClasses}>
          {t("header.admin")}
        </a>
      )}
    </div>
  );
}

/** Where the person was going when a guard redirected them to the landing page. */
function nextPathOf(path: string): string {
  return new URLSearchParams(path.split("?")[1]).get("next") ?? paths.chat;
}

function VisitorLinks({ path }: { path: string }) {
  const t = useT();
  const next = nextPathOf(path);
  return (
    <>
      <a href={signInPath(next)} className={headerLinkClasses}>
        {t("header.signIn")}
      </a>
      <a href={signUpPath(next)} className={`${headerLinkClasses} max-md:hidden`}>
        {t("header.signUp")}
      </a>
    </>
  );
}

const memberLinks = [
  { to: paths.chat, key: "header.chat", icon: MessagesSquare },
  { to: paths.history, key: "header.history", icon: History },
  { to: paths.support, key: "header.support", icon: Headset },
] as const;

/** The links that do not fit into the header on a phone. */
function Drawer({ person, path }: { person: MenuPerson | null; path: string }) {
  const t = useT();
  if (person === null) {
    const next = nextPathOf(path);
    return (
      <>
        <DrawerLink to={signInPath(next)} icon={LogIn} label={t("header.signIn")} />
        <DrawerLink to={signUpPath(next)} icon={UserPlus} label={t("header.signUp")} />
        <DrawerLink to={paths.support} icon={Headset} label={t("header.support")} />
      </>
    );
  }
  return (
    <>
      {memberLinks.map(({ to, key, icon }) => (
        <DrawerLink key={to} to={to} icon={icon} label={t(key)}>
          {to === paths.chat && <VisitUnreadMark />}
        </DrawerLink>
      ))}
      {person.isAdmin && <DrawerLink to={paths.admin} icon={ShieldCheck} label={t("header.admin")} />}
      <AccountLinks person={person} />
    </>
  );
}

function DrawerLink(props: { to: string; icon: IconNode; label: string; children?: ReactNode }) {
  return (
    <a
      href={props.to}
      className="flex min-h-12 items-center gap-3 rounded-control px-2 font-semibold no-underline hover:bg-sunk"
    >
      <Icon of={props.icon} className="size-5 text-brand" />
      {props.label}
      {props.children}
    </a>
  );
}
