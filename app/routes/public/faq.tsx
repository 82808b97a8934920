import { useLoaderData } from "react-router";
import { publishedText, textMeta } from "#app/routes/public/published-text";
import { DocumentPage } from "../../ui/layout/document/document-page.tsx";
import type { Route } from "./+types/faq.ts";

export function loader({ context }: Route.LoaderArgs) {
  return publishedText(context, "faq");
}

export const meta: Route.MetaFunction = ({ loaderData }) => textMeta(loaderData);

export default function Faq() {
  return <DocumentPage document={useLoaderData<typeof loader>()} questions />;
}
