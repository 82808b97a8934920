import { useLoaderData } from "react-router";
import { shownCall } from "#app/http/api/page";
import { apiDocument } from "#app/http/api/served";
import { actorOf, notFound } from "#app/http/pages";
import { TextLink } from "../components/button.tsx";
import { Page, PageHead } from "../components/card.tsx";
import { Call } from "../components/developers/call.tsx";
import { useT } from "../components/i18n.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/developers-call.ts";

export function loader({ context, params }: Route.LoaderArgs) {
  const call = shownCall(apiDocument(), params.call, actorOf(context).language);
  if (call === undefined) throw notFound();
  return { call };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData && `${loaderData.call.method} ${loaderData.call.path}` },
];

export default function DevelopersCall() {
  const { call } = useLoaderData<typeof loader>();
  const t = useT();
  return (
    <Page width="text">
      <TextLink to={paths.developers}>{t("developers.all")}</TextLink>
      <PageHead title={`${call.method} ${call.path}`} lead={<span lang="en">{call.summary}</span>} />
      <Call call={call} />
    </Page>
  );
}
