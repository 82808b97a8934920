import { paths } from "../../../paths.ts";
import { ButtonLink, TextLink } from "../../../ui/forms/button.tsx";
import { useT, useText } from "../../../ui/frame/i18n.tsx";
import { LinkedText } from "../../../ui/layout/linked-text.tsx";
import { MidmanMark } from "../../../ui/layout/midman-mark.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

const reminderKeys = ["notice", "password", "outside"] as const;

/** Reminders that everyone should read. */
export function Reminders({ figures }: { figures: Record<string, string> }) {
  const t = useT();
  const text = useText();
  return (
    <Notice tone="warn" title={t("landing.reminders")}>
      <ul className="grid list-disc gap-1 pl-5 text-ink">
        {reminderKeys.map((reminder) => (
          <li key={reminder}>
            <p>
              <LinkedText text={text(`landing.reminder.${reminder}`, figures)} />
            </p>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The page in three sentences, and the next steps. */
export function Summary({ signUp }: { signUp: string }) {
  const t = useT();
  return (
    <section className="grid gap-4 rounded-card bg-brand-soft p-6 sm:p-8">
      <h2 className="flex items-center gap-3 text-2xl font-extrabold tracking-tight">
        <MidmanMark className="size-9 text-khadag" />
        {t("landing.summary.title")}
      </h2>
      <p className="max-w-2xl text-lg">{t("landing.summary.body")}</p>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <ButtonLink to={signUp} look="primary">
          {t("header.signUp")}
        </ButtonLink>
        <TextLink to={paths.securityGuide}>{t("footer.securityGuide")}</TextLink>
        <TextLink to={paths.faq}>{t("footer.faq")}</TextLink>
        <TextLink to={paths.terms}>{t("footer.terms")}</TextLink>
      </div>
    </section>
  );
}
