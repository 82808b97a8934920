import { LogOut, Settings, UserRound } from "lucide";
import { paths } from "../../paths.ts";
import { PersonForm } from "../forms/person-form.tsx";
import { Avatar } from "../layout/avatar.tsx";
import { Icon } from "../layout/icon.tsx";
import { useT } from "./i18n.tsx";

export interface MenuPerson {
  displayName: string;
  email: string;
  avatarInitials: string;
  isAdmin: boolean;
}

/** The signed-in person's menu, opened by their initials. */
export function AccountMenu({ person }: { person: MenuPerson }) {
  const t = useT();
  return (
    <details className="relative" data-menu>
      <summary className="flex min-h-11 min-w-11 cursor-pointer items-center justify-center">
        <Avatar initials={person.avatarInitials} />
        <span className="sr-only">{t("header.account")}</span>
      </summary>
      <div className="absolute right-0 z-40 mt-2 grid w-72 gap-1 rounded-card border border-line bg-card p-2 shadow-lift">
        <AccountLinks person={person} />
      </div>
    </details>
  );
}

const menuEntryClasses =
  "flex min-h-11 w-full cursor-pointer items-center gap-3 rounded-control px-2 font-semibold no-underline hover:bg-sunk";

/** Name, email, links to profile and settings, and sign-out. */
export function AccountLinks({ person }: { person: MenuPerson }) {
  const t = useT();
  return (
    <>
      <div className="flex items-center gap-3 px-2 py-2 max-md:border-t max-md:border-line">
        <span className="md:hidden">
          <Avatar initials={person.avatarInitials} />
        </span>
        <p className="min-w-0">
          <span className="block font-bold wrap-anywhere">{person.displayName}</span>
          <span className="block text-sm text-quiet wrap-anywhere">{person.email}</span>
        </p>
      </div>
      <a href={paths.profile} className={menuEntryClasses}>
        <Icon of={UserRound} className="size-5 text-brand" />
        {t("header.profile")}
      </a>
      <a href={paths.settings} className={menuEntryClasses}>
        <Icon of={Settings} className="size-5 text-brand" />
        {t("header.settings")}
      </a>
      <PersonForm action={paths.logout}>
        <button type="submit" className={`${menuEntryClasses} text-bad`}>
          <Icon of={LogOut} />
          {t("header.signOut")}
        </button>
      </PersonForm>
    </>
  );
}
