import { useMatches } from "react-router";
import { useVisit } from "./visit.tsx";

const territory = { mn: "mn_MN", en: "en_US" } as const;

/**
 * What search engines and shared links read of a public page: its one address, its other languages, title and description.
 * Any other page says only that it is not to be listed. The title and description are the `title` and `description` that the
 * page's loader answers.
 */
export function HeadLinks() {
  const { addresses, language } = useVisit();
  const { title, description } = told(useMatches().at(-1)?.loaderData);
  if (addresses === null) return <meta name="robots" content="noindex" />;
  return (
    <>
      <link rel="canonical" href={addresses.canonical} />
      {addresses.alternates.map((other) => (
        <link key={other.language} rel="alternate" hrefLang={other.language} href={other.href} />
      ))}
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Midman" />
      <meta property="og:url" content={addresses.canonical} />
      <meta property="og:locale" content={territory[language]} />
      <meta property="og:locale:alternate" content={territory[language === "mn" ? "en" : "mn"]} />
      {title && <meta property="og:title" content={title} />}
      {description && <meta property="og:description" content={description} />}
    </>
  );
}

function told(data: unknown): { title?: string; description?: string } {
  if (typeof data !== "object" || data === null) return {};
  const title = "title" in data && typeof data.title === "string" ? data.title : undefined;
  const description =
    "description" in data && typeof data.description === "string" ? data.description : undefined;
  return { ...(title && { title }), ...(description && { description }) };
}
