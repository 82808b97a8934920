import { useLoaderData } from "react-router";
import { actorOf } from "#app/server/pages/page-context";
import { formatLogMoment } from "#format";
import { getTranslator } from "#locales";
import { signedHead } from "#modules/audit";
import { paths } from "../../paths.ts";
import { TextLink } from "../../ui/forms/button.tsx";
import { CopyableValue } from "../../ui/forms/copyable-value.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/proof.ts";

/** The newest signed head of the audit log: a person who keeps it can prove later that earlier entries are unchanged. */
export async function loader({ context }: Route.LoaderArgs) {
  const t = getTranslator(actorOf(context).language);
  return { signed: await signedHead(), title: t("proof.title"), description: t("proof.lead") };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.title },
  { name: "description", content: loaderData?.description },
];

export default function Proof() {
  const t = useT();
  const { signed } = useLoaderData<typeof loader>();
  return (
    <Page width="text">
      <PageHead title={t("proof.title")} lead={t("proof.lead")} />
      <Card title={t("proof.what")}>
        <p>{t("proof.whatLog")}</p>
        <p>{t("proof.whatChain")}</p>
        <p>{t("proof.whatPrivate")}</p>
      </Card>
      <Card title={t("proof.latest")} id="head">
        {signed === null ? <p>{t("admin.logs.noBlock")}</p> : <LatestHead signed={signed} />}
      </Card>
      <Card title={t("proof.check")}>
        <p>{t("proof.checkKeep")}</p>
        <p>{t("proof.checkLater")}</p>
        <p>
          <code className="block rounded-control bg-sunk px-3 py-2 font-mono text-sm wrap-anywhere">
            {`bun run audit:verify --head ${signed === null ? "n:hash" : `${signed.block}:${signed.head}`}`}
          </code>
        </p>
        <p>{t("proof.checkDispute")}</p>
      </Card>
    </Page>
  );
}

function LatestHead({
  signed,
}: {
  signed: NonNullable<ReturnType<typeof useLoaderData<typeof loader>>["signed"]>;
}) {
  const t = useT();
  return (
    <>
      <p className="font-semibold tabular-nums">
        {t("admin.logs.newestBlock", {
          block: signed.block.toLocaleString("en-US"),
          at: formatLogMoment(signed.sealedAt),
        })}
      </p>
      <CopyableValue label={t("admin.logs.head")} value={`${signed.block}:${signed.head}`} />
      <CopyableValue label={t("proof.statement")} value={signed.statement} />
      <CopyableValue label={t("proof.signature")} value={signed.signature} />
      <p className="flex flex-wrap gap-x-6">
        <TextLink to={paths.proofKey}>{t("proof.key")}</TextLink>
        <TextLink to={paths.proofJson}>{t("proof.json")}</TextLink>
      </p>
    </>
  );
}
