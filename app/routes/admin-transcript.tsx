import { useLoaderData } from "react-router";
import { adminOnly, idIn, notFound, unasked } from "#app/http/pages";
import { translator } from "#locales";
import { readTranscript } from "#modules/escrow";
import { DeskNav } from "../components/admin/desk-nav.tsx";
import { Transcript } from "../components/admin/transcript.tsx";
import { ButtonLink, TextLink } from "../components/button.tsx";
import { Card, Page, PageHead } from "../components/card.tsx";
import { useT } from "../components/i18n.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin-transcript.ts";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const id = idIn(params.id);
  // Every reading is recorded; what a browser fetches in case somebody might read it is none.
  const turned = unasked(request, paths.adminTransaction(id));
  if (turned !== undefined) throw turned;
  const before = new URL(request.url).searchParams.get("before");
  const read = await readTranscript(admin, id, before === null ? undefined : idIn(before));
  if (!read.ok) throw notFound();
  const { transactionCode: code, messages, older } = read.transcript;
  const title = translator(admin.language)("admin.transcript.title", { code });
  return { title, id, code, messages, older, first: before === null };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminTranscript() {
  const t = useT();
  const { title, id, code, messages, older, first } = useLoaderData<typeof loader>();
  const here = paths.adminTranscript(id);
  return (
    <Page>
      <DeskNav at="transactions" within />
      <TextLink to={paths.adminTransaction(id)}>{t("admin.transcript.back", { code })}</TextLink>
      <PageHead title={title} lead={t("admin.transcript.lead")} />
      <Card>
        {older !== null && (
          <ButtonLink to={`${here}?before=${older}`} className="justify-self-start">
            {t("admin.transcript.older")}
          </ButtonLink>
        )}
        {messages.length === 0 && <p className="text-quiet">{t("admin.transcript.none")}</p>}
        <Transcript messages={messages} />
        {!first && (
          <ButtonLink to={here} className="justify-self-start">
            {t("admin.transcript.newest")}
          </ButtonLink>
        )}
      </Card>
    </Page>
  );
}
