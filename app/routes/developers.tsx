import { useLoaderData } from "react-router";
import { groupsOf } from "#app/http/api/page";
import { apiDocument } from "#app/http/api/served";
import { actorOf } from "#app/http/pages";
import { text } from "#locales";
import { Page, PageHead } from "../components/card.tsx";
import { CallList } from "../components/developers/list.tsx";
import { useT } from "../components/i18n.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/developers.ts";

export function loader({ context }: Route.LoaderArgs) {
  const { language } = actorOf(context);
  return { title: text(language, "developers.title"), groups: groupsOf(apiDocument()) };
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
