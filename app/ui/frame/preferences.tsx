import { Languages, Moon, Sun } from "lucide";
import { paths } from "../../paths.ts";
import { PersonForm } from "../forms/person-form.tsx";
import { Icon } from "../layout/icon.tsx";
import { useLanguage, useT } from "./i18n.tsx";

const preferenceButtonClasses =
  "inline-flex min-h-11 min-w-11 cursor-pointer items-center justify-center gap-2 rounded-control px-2 font-semibold hover:bg-sunk";

/** Buttons for the other language and the other theme; each reloads the page. */
export function Preferences({ path, theme }: { path: string; theme: "light" | "dark" }) {
  const t = useT();
  const other = useLanguage() === "mn" ? "en" : "mn";
  const dark = theme === "dark";
  return (
    <PersonForm action={paths.preferences} className="flex items-center gap-1">
      <input type="hidden" name="back" value={path} />
      <button type="submit" name="language" value={other} lang={other} className={preferenceButtonClasses}>
        <Icon of={Languages} />
        {t(`languages.${other}`)}
      </button>
      <button
        type="submit"
        name="theme"
        value={dark ? "light" : "dark"}
        className={preferenceButtonClasses}
        aria-label={t(dark ? "header.lightTheme" : "header.darkTheme")}
        title={t(dark ? "header.lightTheme" : "header.darkTheme")}
      >
        <Icon of={dark ? Sun : Moon} />
      </button>
    </PersonForm>
  );
}
