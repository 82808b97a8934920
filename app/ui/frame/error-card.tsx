import { isRouteErrorResponse } from "react-router";
import { paths } from "../../paths.ts";
import { Page } from "../layout/card.tsx";
import { useT } from "./i18n.tsx";
import { PageStatusCard, pageHeadingOf, pageStatusOf } from "./page-status-card.tsx";
import { useVisit } from "./visit.tsx";

/**
 * Shown for a page that does not exist, that a person may not see, or that failed. A failure is stated plainly, with the number by which
 * support can find it and no internal details.
 */
export function ErrorCard({ error }: { error: unknown }) {
  const t = useT();
  const { requestId, path } = useVisit();
  const pageStatus = isRouteErrorResponse(error)
    ? pageStatusOf(error.status, error.statusText)
    : pageStatusOf(500);
  return (
    <Page width="narrow">
      <title>{t(pageHeadingOf(pageStatus))}</title>
      <PageStatusCard
        pageStatus={pageStatus}
        signIn={`${paths.landing}?next=${encodeURIComponent(path)}#auth`}
        {...(pageStatus === 500 && { requestId })}
      />
    </Page>
  );
}
