import { isRouteErrorResponse } from "react-router";
import { paths } from "../paths.ts";
import { ButtonLink } from "./button.tsx";
import { Page } from "./card.tsx";
import { useT } from "./i18n.tsx";

/** What a page shows that does not exist, or that failed. A failure is told plainly and nothing of its inside. */
export function ErrorCard({ error }: { error: unknown }) {
  const status = isRouteErrorResponse(error) ? error.status : 500;
  if (status === 404) return <NotFound />;
  return <Failed ours={status >= 500} />;
}

/** The specification's not-found page. */
export function NotFound() {
  const t = useT();
  return <Told heading={t("pages.notFound")} hint={t("pages.notFoundHint")} />;
}

function Failed({ ours }: { ours: boolean }) {
  const t = useT();
  return <Told heading={t("pages.failed")} hint={t(ours ? "errors.SERVER_ERROR" : "errors.BAD_REQUEST")} />;
}

function Told({ heading, hint }: { heading: string; hint: string }) {
  const t = useT();
  return (
    <Page width="narrow">
      <title>{heading}</title>
      <div className="mt-10 grid justify-items-center gap-4 rounded-xl border border-line bg-card p-8 text-center">
        <span aria-hidden className="text-4xl text-warn">
          ⚠
        </span>
        <h1 className="text-2xl font-bold">{heading}</h1>
        <p className="text-quiet">{hint}</p>
        <ButtonLink to={paths.landing}>{t("pages.home")}</ButtonLink>
      </div>
    </Page>
  );
}
