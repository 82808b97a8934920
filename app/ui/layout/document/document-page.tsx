import { ChevronDown } from "lucide";
import { useLanguage, useT } from "../../frame/i18n.tsx";
import { Page, PageHead } from "../card.tsx";
import { Disclosure } from "../disclosure.tsx";
import { Icon } from "../icon.tsx";

type ShownPart = { id: string; title: string; html: string };
type ShownSection = ShownPart & { parts: ShownPart[] };

/** A published text from its route; every `html` is rendered from one of Midman's own files. */
export type ShownDocument = { title: string; date: string; html: string; sections: ShownSection[] };

/**
 * A published text: title, date, contents and sections, each with an anchor. With `questions` the parts of a section are collapsed; a link
 * to one opens it, because the id is inside (no script is needed).
 */
export function DocumentPage({
  document,
  questions = false,
}: {
  document: ShownDocument;
  questions?: boolean;
}) {
  const t = useT();
  return (
    <Page>
      <PageHead title={document.title} lead={t("documents.updated", { date: document.date })} />
      <div className="grid items-start gap-6 lg:grid-cols-[16rem_minmax(0,44rem)] lg:gap-12">
        <Contents sections={document.sections} />
        <div className="prose">
          <OtherLanguage />
          <RenderedHtml of={document.html} />
          {document.sections.map((section) => (
            <SectionContent key={section.id} section={section} questions={questions} />
          ))}
        </div>
      </div>
    </Page>
  );
}

/** The contents of a long page as links: collapsed on a phone, beside the page on wide screens. */
function Contents({ sections }: { sections: ReadonlyArray<{ id: string; title: string }> }) {
  const t = useT();
  return (
    <nav aria-label={t("documents.contents")} className="lg:sticky lg:top-6" data-noprint>
      <details
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long list scrolls here, also by keyboard
        tabIndex={0}
        className="toc group rounded-card border border-line bg-card px-4 lg:max-h-[90vh] lg:overflow-y-auto"
      >
        <summary className="flex min-h-12 cursor-pointer items-center font-bold">
          <span className="mr-auto">{t("documents.contents")}</span>
          <Icon
            of={ChevronDown}
            className="size-5 text-quiet transition group-open:[transform:rotate(180deg)]"
          />
        </summary>
        <p aria-hidden className="py-3 font-bold">
          {t("documents.contents")}
        </p>
        <ul className="pb-3 text-sm">
          {sections.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      </details>
    </nav>
  );
}

/** Link to the text in the other language; the Mongolian text is the original. */
function OtherLanguage() {
  const t = useT();
  const other = useLanguage() === "mn" ? "en" : "mn";
  return (
    <p className="text-sm text-quiet">
      {t("documents.original")}{" "}
      <a href={`?lang=${other}`} hrefLang={other} lang={other}>
        {t("documents.other")}
      </a>
    </p>
  );
}

function SectionContent({ section, questions }: { section: ShownSection; questions: boolean }) {
  return (
    <>
      <h2 id={section.id}>
        <a href={`#${section.id}`}>{section.title}</a>
      </h2>
      <RenderedHtml of={section.html} />
      {section.parts.map((part) =>
        questions ? (
          <Disclosure key={part.id} id={part.id} summary={<h3>{part.title}</h3>}>
            <RenderedHtml of={part.html} />
          </Disclosure>
        ) : (
          <PartContent key={part.id} part={part} />
        ),
      )}
    </>
  );
}

function PartContent({ part }: { part: ShownPart }) {
  return (
    <>
      <h3 id={part.id}>
        <a href={`#${part.id}`}>{part.title}</a>
      </h3>
      <RenderedHtml of={part.html} />
    </>
  );
}

function RenderedHtml({ of }: { of: string }) {
  if (of === "") return null;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: rendered from Midman's own file, its figures escaped
  return <div className="contents" dangerouslySetInnerHTML={{ __html: of }} />;
}
