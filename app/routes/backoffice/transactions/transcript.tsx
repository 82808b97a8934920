import { useLoaderData } from "react-router";
import { notFound, parseId, refuseUnaskedRead, requireAdministrator } from "#app/server/pages/page-context";
import { getTranslator } from "#locales";
import { readTranscript } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { ButtonLink, TextLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/transcript.ts";
import { Transcript } from "./transcript-messages.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  // Every reading is recorded; a browser's prefetch is not a reading.
  const turned = refuseUnaskedRead(request, paths.adminTransaction(id));
  if (turned !== undefined) throw turned;
  const before = new URL(request.url).searchParams.get("before");
  const read = await readTranscript(admin, id, before === null ? undefined : parseId(before));
  if (!read.ok) throw notFound("record");
  const { transactionCode: code, messages, older } = read.transcript;
  const title = getTranslator(admin.language)("admin.transcript.title", { code });
  return { title, id, code, messages, older, first: before === null };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminTranscript() {
  const t = useT();
  const { title, id, code, messages, older, first } = useLoaderData<typeof loader>();
  const here = paths.adminTranscript(id);
  return (
    <Page>
      <BackofficeNavigation at="transactions" within />
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
