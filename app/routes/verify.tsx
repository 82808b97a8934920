import { data, type HeadersArgs, useLoaderData } from "react-router";
import { actorOf, goTo } from "#app/http/pages";
import { publicUrl } from "#config";
import { languages, translator } from "#locales";
import { verifyCode } from "#modules/escrow";
import { Page } from "../components/card.tsx";
import { Translated } from "../components/i18n.tsx";
import { Mark } from "../components/mark.tsx";
import { ToldCard } from "../components/told.tsx";
import { Address, AnswerCard } from "../components/verify/answer.tsx";
import { CodeForm } from "../components/verify/form.tsx";
import { Own } from "../components/verify/own.tsx";
import { Unknown } from "../components/verify/unknown.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/verify.ts";

/** The page without a code; with one that was typed; and with one in its address, spelt as Midman spells it. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  const t = translator(actor.language);
  const given = (params.code ?? new URL(request.url).searchParams.get("code") ?? "").trim().slice(0, 100);
  const shown = { address: `${publicUrl()}${paths.verifyForm}/`, title: t("verify.title"), given };
  if (given === "") return data({ ...shown, ...nothing });
  const found = await verifyCode(actor, given);
  if (!found.ok && found.code === "THROTTLED") {
    const headers = { "Retry-After": String(found.retryAfterSeconds) };
    return data({ ...shown, ...nothing, title: t("pages.throttled"), busy: true }, { status: 429, headers });
  }
  if (!found.ok) {
    const title = t("verify.unknown.title");
    return data({ ...shown, ...nothing, title, unknown: true }, { status: 404 });
  }
  const { own, ...answer } = found.trade;
  if (params.code !== answer.code) throw goTo(paths.verify(answer.code));
  return data({ ...shown, title: `${answer.code} · ${t("brand")}`, ...nothing, given: "", answer, own });
}

const nothing = { answer: null, own: null, unknown: false, busy: false };

/** How long to wait, where it is refused. */
export function headers({ loaderHeaders }: HeadersArgs) {
  return loaderHeaders;
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Verify() {
  const { answer, own, unknown, busy, given, address } = useLoaderData<typeof loader>();
  const spoken = languages.map((language) => ({ language, t: translator(language) }));
  if (busy) {
    return (
      <Page width="narrow">
        <ToldCard told={429} />
      </Page>
    );
  }
  return (
    <Page>
      {/* At the top: beside a heading that comes in two pieces a mark in the middle would move. */}
      <div className="flex items-start gap-3">
        <Mark className="size-11 text-khadag" />
        <h1 className="grid pt-1 text-2xl font-extrabold tracking-tight sm:text-3xl">
          {answer === null ? (
            spoken.map(({ language, t }, at) => (
              <span key={language} lang={language} className={at === 0 ? "" : "text-lg text-quiet"}>
                {t("verify.title")}
              </span>
            ))
          ) : (
            <span className="font-mono">{answer.code}</span>
          )}
        </h1>
      </div>
      {own && <Own {...own} />}
      <div className="grid items-start gap-4 lg:grid-cols-2 lg:gap-6">
        {spoken.map(({ language, t }) => (
          <div key={language} lang={language} className="grid gap-3">
            <Translated t={t} language={language}>
              {unknown && <Unknown />}
              {answer ? <AnswerCard answer={answer} address={address} /> : <Address address={address} />}
              {answer && own === null && <p className="text-sm text-quiet">{t("verify.nameless")}</p>}
            </Translated>
          </div>
        ))}
      </div>
      <CodeForm spoken={spoken} typed={given} />
    </Page>
  );
}
