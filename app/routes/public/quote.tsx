import { renderToString } from "react-dom/server";
import { visit } from "#app/server/pages/page-context";
import { quotesOf } from "#app/server/texts/quoted-fees";
import { sumIn } from "#app/server/texts/read-sum";
import { translator } from "#locales";
import { Translated } from "../../ui/frame/i18n.tsx";
import { PayerFigures } from "../room/trade/payer-figures.tsx";
import type { Route } from "./+types/quote.ts";

/** Each side's figures for `?amount=`, as HTML: what a form shows while the amount is being typed. */
export function loader({ context, request }: Route.LoaderArgs) {
  const { language } = visit(context).actor;
  const quotes = quotesOf(sumIn(new URL(request.url).searchParams.get("amount") ?? ""));
  const html = renderToString(
    <Translated t={translator(language)} language={language}>
      <PayerFigures payer="buyer" quotes={quotes} />
      <PayerFigures payer="seller" quotes={quotes} />
      <PayerFigures payer="split" quotes={quotes} />
    </Translated>,
  );
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}
