import { ButtonLink, buttonClasses } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, PageHead } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";

interface LeavingProps {
  to: {
    address: string;
    host: string;
    readAs: string | null;
    doubts: Array<"midman" | "bank" | "letters" | "name" | "number" | "open" | "port">;
  };
  /** The page the reader came from. */
  back: string;
}

/** Shows where a link leads and what is suspicious about it; the reader must follow it themselves. */
export function LeavingPage({ to, back }: LeavingProps) {
  const t = useT();
  return (
    <>
      <PageHead title={t("away.title")} lead={t("away.lead")} />
      <Card>
        <dl className="grid gap-4">
          <Address label={t("away.to")} text={to.host} look="text-lg font-extrabold sm:text-2xl" />
          {to.readAs && <Address label={t("away.readAs")} text={to.readAs} look="text-lg" />}
          <Address label={t("away.whole")} text={to.address} look="font-mono text-sm" />
        </dl>
        {to.doubts.length > 0 && (
          <Notice tone="bad" title={t("away.beware")}>
            <ul className="grid list-disc gap-1 pl-4">
              {to.doubts.map((doubt) => (
                <li key={doubt}>{t(`away.doubts.${doubt}`)}</li>
              ))}
            </ul>
          </Notice>
        )}
        <Notice tone="warn" title={t("away.remember")}>
          <p>{t("away.reminders.room")}</p>
          <p>{t("away.reminders.notice")}</p>
          <p>{t("away.reminders.preview")}</p>
        </Notice>
        <div className="flex flex-wrap gap-2">
          <ButtonLink to={back} look="primary">
            {t("away.back")}
          </ButtonLink>
          <a href={to.address} rel="noopener noreferrer nofollow" className={buttonClasses("plain")}>
            {t("away.open")}
          </a>
        </div>
      </Card>
    </>
  );
}

/** An address in the order of its characters, regardless of direction marks in it. */
function Address({ label, text, look }: { label: string; text: string; look: string }) {
  return (
    <div className="grid gap-1">
      <dt className="text-sm font-semibold text-quiet">{label}</dt>
      <dd dir="ltr" className={`[unicode-bidi:isolate-override] wrap-anywhere ${look}`}>
        {text}
      </dd>
    </div>
  );
}

/** The requested address is not an address of a website. */
export function NoDestination({ back }: { back: string }) {
  const t = useT();
  return (
    <>
      <PageHead title={t("away.badTitle")} lead={t("away.badHint")} />
      <div>
        <ButtonLink to={back} look="primary">
          {t("away.back")}
        </ButtonLink>
      </div>
    </>
  );
}
