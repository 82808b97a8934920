import { Search } from "lucide";
import { accountFieldLimits, peopleListKinds, peopleSorts } from "#forms/identity";
import { paths } from "../../../paths.ts";
import { Button, ButtonLink } from "../../../ui/forms/button.tsx";
import { Field, Select } from "../../../ui/forms/field.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Icon } from "../../../ui/layout/icon.tsx";
import type { UserListQuery } from "./types.ts";

/** The address of a page of the user list; default values are left out. */
export function usersAt({ q, show, sort, before }: UserListQuery): string {
  const query = new URLSearchParams({
    ...(q && { q }),
    ...(show !== peopleListKinds[0] && { show }),
    ...(sort !== peopleSorts[0] && { sort }),
    ...(before !== null && { before: String(before) }),
  }).toString();
  return query === "" ? paths.adminUsers : `${paths.adminUsers}?${query}`;
}

/** Searches for people: every result has an address, and the form needs no script. */
export function SearchUsers({ asked }: { asked: UserListQuery }) {
  const t = useT();
  const field = (name: "q" | "show" | "sort") => ({
    id: `users-${name}`,
    name,
    errorId: `users-${name}-error`,
    initialValue: asked[name],
  });
  return (
    <search>
      <form
        action={paths.adminUsers}
        className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)_auto]"
      >
        <Field
          label={t("admin.users.search")}
          field={field("q")}
          type="search"
          maxLength={accountFieldLimits.displayName.max}
          placeholder={t("admin.users.searchHint")}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
        />
        <Select
          label={t("admin.users.show.label")}
          field={field("show")}
          options={peopleListKinds.map((value) => ({ value, label: t(`admin.users.show.${value}`) }))}
        />
        <Select
          label={t("admin.users.sort.label")}
          field={field("sort")}
          options={peopleSorts.map((value) => ({ value, label: t(`admin.users.sort.${value}`) }))}
        />
        <div className="flex flex-wrap gap-2">
          <Button>
            <Icon of={Search} className="size-5" />
            {t("chat.find")}
          </Button>
          <ButtonLink to={paths.adminUsers}>{t("admin.users.reset")}</ButtonLink>
        </div>
      </form>
    </search>
  );
}
