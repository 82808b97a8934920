import { dayInWords, formatLongMoment, lastDayBefore } from "#format";
import type { LinkedAccount, RestrictionView } from "#views/identity";
import { paths } from "../../../paths.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Badge } from "../../../ui/layout/badge.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { Moment } from "../moment.tsx";
import type { UserRow } from "./types.ts";

/** The restriction of a person as a badge. */
export function RestrictedBadge({ restriction }: Pick<UserRow, "restriction">) {
  const t = useT();
  if (restriction === null) return null;
  return <Badge tone="warn">{t(`admin.restrict.badge.${restriction.kind}`)}</Badge>;
}

/** Every restriction so far, newest first. */
export function Restrictions({ restrictions }: { restrictions: RestrictionView[] }) {
  const t = useT();
  const language = useLanguage();
  if (restrictions.length === 0) return null;
  return (
    <Card title={t("admin.restrict.history")}>
      <ol className="grid gap-4">
        {restrictions.map((one) => (
          <li key={one.id} className="grid gap-1 border-line not-last:border-b not-last:pb-4">
            <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
              <strong>{t(`admin.restrict.kinds.${one.kind}`)}</strong>
              <span>{t(`admin.restrict.causes.${one.cause}`)}</span>
              {one.inForce && <Badge tone="warn">{t("admin.restrict.inForce")}</Badge>}
            </p>
            <span className="text-sm text-quiet tabular-nums">
              <Moment at={one.at} /> · {one.by ?? "–"}
            </span>
            <span className="tabular-nums">
              {one.until === null
                ? t("admin.restrict.isForGood", { name: one.confirmed?.by ?? "–" })
                : t("admin.restrict.isUntil", { at: dayInWords(lastDayBefore(one.until), language) })}
            </span>
            {one.note && <span className="whitespace-pre-wrap wrap-anywhere">{one.note}</span>}
            {one.ended && (
              <span className="text-sm wrap-anywhere">
                {t(`admin.restrict.ended.${one.ended.how}`, {
                  at: formatLongMoment(one.ended.at, language),
                  name: one.ended.by ?? "–",
                })}
                {one.ended.note && `: ${one.ended.note}`}
              </span>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

/** Restricted accounts that share something with this one: a hint and not a proof, since families share phones. */
export function LinkedAccounts({ same }: { same: LinkedAccount[] }) {
  const t = useT();
  if (same.length === 0) return null;
  return (
    <Notice tone="warn" title={t("admin.restrict.same")}>
      <ul className="grid gap-1">
        {same.map(({ userId, username, kinds }) => (
          <li key={userId}>
            {kinds.map((kind) => t(`admin.restrict.sign.${kind}`)).join(", ")}
            {": "}
            <a href={paths.adminUser(userId)} className="font-semibold underline underline-offset-4">
              {username === null ? t("admin.users.deletedName", { id: userId }) : `@${username}`}
            </a>
          </li>
        ))}
      </ul>
      <p className="text-sm">{t("admin.restrict.sameHint")}</p>
    </Notice>
  );
}
