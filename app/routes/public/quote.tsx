import { renderToString } from "react-dom/server";
import { getVisit } from "#app/server/pages/page-context";
import { parseAmount } from "#app/server/texts/parse-amount";
import { quoteFees } from "#app/server/texts/quoted-fees";
import { getTranslator } from "#locales";
import { TranslationProvider } from "../../ui/frame/i18n.tsx";
import { FeeFigure, PayerFigures } from "../room/trade/payer-figures.tsx";
import type { Route } from "./+types/quote.ts";

/** Each party's figures for `?amount=`, as HTML: a form shows them while the amount is being typed. */
export function loader({ context, request }: Route.LoaderArgs) {
  const { language } = getVisit(context).actor;
  const quotes = quoteFees(parseAmount(new URL(request.url).searchParams.get("amount") ?? ""));
  const html = renderToString(
    <TranslationProvider t={getTranslator(language)} language={language}>
      <FeeFigure quotes={quotes} />
      <PayerFigures payer="buyer" quotes={quotes} />
      <PayerFigures payer="seller" quotes={quotes} />
      <PayerFigures payer="split" quotes={quotes} />
    </TranslationProvider>,
  );
  return new Response(html, {
    headers: { "Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store" },
  });
}
