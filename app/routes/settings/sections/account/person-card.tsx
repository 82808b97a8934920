import { formatLongDay } from "#format";
import type { UserView } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { TextLink } from "../../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../../ui/layout/avatar.tsx";
import { Card } from "../../../../ui/layout/card.tsx";
import { EmailStatusBadge } from "./email-section.tsx";

/** A person's own profile. */
export function PersonCard({ person }: { person: UserView }) {
  const t = useT();
  const language = useLanguage();
  return (
    <Card label={t("header.profile")}>
      <div className="flex items-center gap-4">
        <Avatar initials={person.avatarInitials} large />
        <div className="grid min-w-0">
          <p className="text-xl font-bold wrap-anywhere">{person.displayName}</p>
          <p className="text-quiet wrap-anywhere">{`@${person.username}`}</p>
        </div>
      </div>
      <div className="grid gap-2 border-t border-line pt-4">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-2">
          <span className="wrap-anywhere">{person.email}</span>
          <EmailStatusBadge confirmed={person.emailVerified} />
        </p>
        <p className="text-sm text-quiet">
          {t("profile.joined", { date: formatLongDay(person.createdAt, language) })}
        </p>
      </div>
      {!person.emailVerified && (
        <TextLink to={`${paths.settings}#email`}>{t("settings.email.resend")}</TextLink>
      )}
    </Card>
  );
}
