import type { ProfileChange } from "#views/identity";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../ui/layout/avatar.tsx";
import { Badge } from "../../../ui/layout/badge.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Moment } from "../moment.tsx";
import { RestrictedBadge } from "./restrictions.tsx";
import type { UserShown } from "./types.ts";

/** A person's stored data and their status. */
export function Profile({ user }: { user: UserShown }) {
  const t = useT();
  const none = "–";
  const rows = [
    { label: t("admin.users.column.id"), value: String(user.id) },
    { label: t("admin.users.column.email"), value: user.email || none },
    { label: t("profile.phone"), value: user.phoneNumber ?? none },
    { label: t("profile.bank"), value: user.bankAccount ?? none },
    { label: t("admin.users.joined"), value: <Moment at={user.createdAt} /> },
    ...(user.deletedAt === null
      ? []
      : [{ label: t("admin.users.deleted"), value: <Moment at={user.deletedAt} /> }]),
    {
      label: t("settings.factor.title"),
      value: t(user.secondFactor ? "settings.state.on" : "settings.state.off"),
    },
    { label: t("admin.users.passkeys"), value: String(user.passkeys) },
  ];
  return (
    <Card label={t("admin.users.profile")}>
      <div className="flex items-center gap-4">
        <Avatar initials={user.avatarInitials} large />
        <div className="grid min-w-0 gap-1">
          <h1 className="text-xl font-extrabold wrap-anywhere">{nameOf(user, t)}</h1>
          {!user.deleted && <p className="text-quiet wrap-anywhere">{`@${user.username}`}</p>}
          <p className="flex flex-wrap gap-2 empty:hidden">
            {user.isAdmin && <Badge tone="brand">{t("admin.users.admin")}</Badge>}
            <RestrictedBadge restriction={user.restriction} />
            {user.deleted && <Badge tone="quiet">{t("admin.users.deleted")}</Badge>}
            {!user.deleted && !user.emailVerified && <Badge tone="warn">{t("admin.users.unverified")}</Badge>}
          </p>
        </div>
      </div>
      <FactList rows={rows} />
    </Card>
  );
}

function nameOf({ deleted, id, displayName }: UserShown, t: ReturnType<typeof useT>): string {
  return deleted ? t("admin.users.deletedName", { id }) : displayName;
}

const profileFieldLabels = {
  displayName: "admin.users.column.displayName",
  phoneNumber: "profile.phone",
  bankAccount: "profile.bank",
} as const;

/** What administrators changed in the profile, newest first. */
export function Changes({ changes }: { changes: ProfileChange[] }) {
  const t = useT();
  if (changes.length === 0) return null;
  return (
    <Card title={t("admin.users.changes")}>
      <ol className="grid gap-3">
        {changes.map(({ id, at, by, before, after }) => (
          <li key={id} className="grid gap-1 border-line pb-3 not-last:border-b">
            <span className="text-sm text-quiet tabular-nums">
              <Moment at={at} /> · {by ?? "–"}
            </span>
            {(["displayName", "phoneNumber", "bankAccount"] as const)
              .filter((field) => field in after)
              .map((field) => (
                <span key={field} className="wrap-anywhere">
                  <span className="text-quiet">{t(profileFieldLabels[field])}</span>{" "}
                  {t("admin.users.change", { before: before[field] || "–", after: after[field] || "–" })}
                </span>
              ))}
          </li>
        ))}
      </ol>
    </Card>
  );
}
