import { useLoaderData } from "react-router";
import { groupsOf } from "#app/routes/developers/call-pages";
import { apiDocument } from "#app/server/openapi/routes";
import { actorOf } from "#app/server/pages/page-context";
import { translateText } from "#locales";
import { paths } from "../../paths.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/developers.ts";
import { CallList } from "./call-list.tsx";

export function loader({ context }: Route.LoaderArgs) {
  const { language } = actorOf(context);
  return { title: translateText(language, "developers.title"), groups: groupsOf(apiDocument()) };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Developers() {
  const { groups } = useLoaderData<typeof loader>();
  const t = useT();
  const [before, after] = t("developers.document", { address: "\n" }).split("\n");
  return (
    <Page>
      <PageHead title={t("developers.title")} lead={t("developers.lead")} />
      <p className="text-quiet">
        {before}
        <a href={paths.apiDocument} className="font-mono text-brand underline underline-offset-4">
          {paths.apiDocument}
        </a>
        {after} {t("developers.english")}
      </p>
      <CallList groups={groups} />
    </Page>
  );
}
