import { useMatches } from "react-router";
import { useVisit } from "./visit.tsx";

const openGraphLocales = { mn: "mn_MN", en: "en_US" } as const;

/**
 * Metadata of a public page for search engines and link previews: its canonical address, its other languages, title and description. Any
 * other page is marked `noindex`; if its loader returns the address of a `card`, it has a link preview too. Title and description are the
 * `title` and `description` that the page's loader returns.
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
      <meta property="og:locale:alternate" content={openGraphLocales[language === "mn" ? "en" : "mn"]} />
    </>
  );
}

type PreviewCardProps = { address: string; title: string | undefined; description: string | undefined };

/**
 * The preview that messengers and social networks show of a link. Its picture is a file of Midman's, one for each language, and shows nobody's
 * name. The size stands beside it: otherwise the first preview of a page comes without a picture.
 */
function PreviewCard({ address, title, description }: PreviewCardProps) {
  const { language } = useVisit();
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Midman" />
      <meta property="og:url" content={address} />
      {title && <meta property="og:title" content={title} />}
      {description && <meta property="og:description" content={description} />}
      <meta property="og:locale" content={openGraphLocales[language]} />
      <meta property="og:image" content={new URL(`/card-${language}.png`, address).href} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
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
