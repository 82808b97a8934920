import { useLoaderData } from "react-router";
import { shownCall } from "#app/routes/developers/call-pages";
import { apiDocument } from "#app/server/openapi/routes";
import { actorOf, notFound } from "#app/server/pages/page-context";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/call.ts";
import { CallDetails } from "./call-details.tsx";

export function loader({ context, params }: Route.LoaderArgs) {
  const call = shownCall(apiDocument(), params.call, actorOf(context).language);
  if (call === undefined) throw notFound("record");
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
      <CallDetails call={call} />
    </Page>
  );
}
