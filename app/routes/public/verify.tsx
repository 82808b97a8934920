import { data, type HeadersArgs, useLoaderData } from "react-router";
import { actorOf, goTo } from "#app/server/pages/page-context";
import { publicUrl } from "#config";
import { getTranslator } from "#locales";
import { verifyCode } from "#modules/escrow";
import { paths } from "../../paths.ts";
import { TranslationProvider, useLanguage, useT } from "../../ui/frame/i18n.tsx";
import { PageStatusCard } from "../../ui/frame/page-status-card.tsx";
import { Page } from "../../ui/layout/card.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { MidmanMark } from "../../ui/layout/midman-mark.tsx";
import { Notice } from "../../ui/layout/notice.tsx";
import type { Route } from "./+types/verify.ts";
import { Address, AnswerCard } from "./verify/code-answer.tsx";
import { CodeForm } from "./verify/code-form.tsx";
import { OwnTradeCard } from "./verify/own-trade-card.tsx";
import type { CodeAnswer } from "./verify/types.ts";
import { UnknownCodeCard } from "./verify/unknown-code-card.tsx";

/** The page without a code; with a typed code; and with a code in its address, in Midman's spelling. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const t = getTranslator(actor.language);
  const given = (params.code ?? new URL(request.url).searchParams.get("code") ?? "").trim().slice(0, 100);
  const shown = { address: `${publicUrl()}${paths.verifyForm}/`, title: t("verify.title"), given };
  if (given === "") return data({ ...shown, ...emptyVerification });
  const found = await verifyCode(actor, given);
  if (!found.ok && found.code === "THROTTLED") {
    const headers = { "Retry-After": String(found.retryAfterSeconds) };
    return data(
      { ...shown, ...emptyVerification, title: t("pages.throttled"), busy: true },
      { status: 429, headers },
    );
  }
  if (!found.ok) {
    const title = t("verify.unknown.title");
    return data({ ...shown, ...emptyVerification, title, unknown: true }, { status: 404 });
  }
  const { own, ...answer } = found.trade;
  if (params.code !== answer.code) throw goTo(paths.verify(answer.code));
  return data({
    ...shown,
    title: `${answer.code} · ${t("brand")}`,
    ...emptyVerification,
    given: "",
    answer,
    own,
    foreign: own === null && actor.kind === "user",
  });
}

const emptyVerification = { answer: null, own: null, foreign: false, unknown: false, busy: false };

/** Sends Retry-After if the request is refused. */
export function headers({ loaderHeaders }: HeadersArgs) {
  return loaderHeaders;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Verify() {
  const t = useT();
  const language = useLanguage();
  const { answer, own, foreign, unknown, busy, given, address } = useLoaderData<typeof loader>();
  if (busy) {
    return (
      <Page width="narrow">
        <PageStatusCard pageStatus={429} />
      </Page>
    );
  }
  const said = <CodeVerdict answer={answer} unknown={unknown} isOwn={own !== null} address={address} />;
  const other = language === "mn" ? "en" : "mn";
  const inOther = getTranslator(other);
  return (
    <Page width="narrow">
      {/* At the top: beside a heading that arrives in two pieces, a centred mark would move. */}
      <div className="flex items-start gap-3">
        <MidmanMark className="size-11 text-khadag" />
        <h1 className="pt-1 text-2xl font-extrabold tracking-tight sm:text-3xl">
          {answer === null ? t("verify.title") : <span className="font-mono">{answer.code}</span>}
        </h1>
      </div>
      {own && <OwnTradeCard {...own} />}
      {foreign && <Notice tone="warn" title={t("verify.own.none")} />}
      {/* Its amounts are aligned right, and would move while the page arrives in pieces. */}
      <div lang={language} className="whole grid gap-3">
        {said}
      </div>
      {/* The reader may not know which language the other person reads: one press switches, without a script. */}
      <div lang={other} className="whole">
        <TranslationProvider t={inOther} language={other}>
          <Disclosure summary={inOther("verify.inThisLanguage")}>{said}</Disclosure>
        </TranslationProvider>
      </div>
      <CodeForm typed={given} />
    </Page>
  );
}

interface CodeVerdictProps {
  answer: CodeAnswer | null;
  unknown: boolean;
  isOwn: boolean;
  address: string;
}

/** What Midman says about the code, in the given language. */
function CodeVerdict({ answer, unknown, isOwn, address }: CodeVerdictProps) {
  const t = useT();
  return (
    <>
      {unknown && <UnknownCodeCard />}
      {answer ? <AnswerCard answer={answer} address={address} /> : <Address address={address} />}
      {answer && !isOwn && <p className="text-sm text-quiet">{t("verify.nameless")}</p>}
    </>
  );
}
