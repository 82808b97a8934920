import { useMatches } from "react-router";
import { useVisit } from "./visit.tsx";

const openGraphLocales = { mn: "mn_MN", en: "en_US" } as const;

/**
 * What search engines and shared links read of a public page: its one address, its other languages, title and description.
 * Any other page says only that it is not to be listed, and, where its loader answers the address of its `card`, what a shared link to it
 * shows. The title and description are the `title` and `description` that the
 * page's loader answers.
 */
export function HeadLinks() {
  const { addresses, language } = useVisit();
  const { title, description, card } = readPageTexts(useMatches().at(-1)?.loaderData);
  if (addresses === null) {
    return (
      <>
        <meta name="robots" content="noindex" />
        {card && <PreviewCard address={card} title={title} description={description} />}
      </>
    );
  }
  return (
    <>
      <link rel="canonical" href={addresses.canonical} />
      {addresses.alternates.map((other) => (
        <link key={other.language} rel="alternate" hrefLang={other.language} href={other.href} />
      ))}
      <PreviewCard address={addresses.canonical} title={title} description={description} />
      <meta property="og:locale" content={openGraphLocales[language]} />
      <meta property="og:locale:alternate" content={openGraphLocales[language === "mn" ? "en" : "mn"]} />
    </>
  );
}

type PreviewCardProps = { address: string; title: string | undefined; description: string | undefined };

function PreviewCard({ address, title, description }: PreviewCardProps) {
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Midman" />
      <meta property="og:url" content={address} />
      {title && <meta property="og:title" content={title} />}
      {description && <meta property="og:description" content={description} />}
    </>
  );
}

function readPageTexts(data: unknown): Partial<Record<"title" | "description" | "card", string>> {
  if (typeof data !== "object" || data === null) return {};
  const texts = Object.entries(data).filter(
    ([name, value]) => ["title", "description", "card"].includes(name) && typeof value === "string" && value,
  );
  return Object.fromEntries(texts);
}
