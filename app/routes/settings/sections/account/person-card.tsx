import { formatLongDay } from "#format";
import type { UserView } from "#views/identity";
import { paths } from "../../../../paths.ts";
import { useLanguage, useT } from "../../../../ui/frame/i18n.tsx";
import { Avatar } from "../../../../ui/layout/avatar.tsx";
import { FactRow } from "../../../../ui/rows/fact-row.tsx";
import { RowGroup } from "../../../../ui/rows/row-group.tsx";
import { EmailStatusBadge } from "./email-section.tsx";

/** A person's own profile; the row of an unconfirmed address leads to where its link is sent again. */
export function PersonCard({ person }: { person: UserView }) {
  const t = useT();
  const language = useLanguage();
  return (
    <RowGroup>
      <div className="flex items-center gap-4 py-3">
        <Avatar initials={person.avatarInitials} large />
        <div className="grid min-w-0">
          <p className="text-xl font-bold wrap-anywhere">{person.displayName}</p>
          <p className="text-quiet wrap-anywhere">{`@${person.username}`}</p>
          <p className="text-sm text-quiet">
            {t("profile.joined", { date: formatLongDay(person.createdAt, language) })}
          </p>
        </div>
      </div>
      <FactRow
        label={person.email}
        value={<EmailStatusBadge confirmed={person.emailVerified} />}
        to={person.emailVerified ? undefined : `${paths.settings}#email`}
      />
    </RowGroup>
  );
}
