import { useActionData, useLoaderData } from "react-router";
import { actorOf, goTo, postedForm, safeNextPath } from "#app/server/pages/page-context";
import { forwardActionHeaders, readForm } from "#app/server/pages/posted-forms";
import { readDocumentFacts } from "#app/server/texts/document-facts";
import { agreeInput, consentVersions } from "#forms/identity";
import { getTranslator, type Language } from "#locales";
import { agreeToDocuments, documentsToAgree } from "#modules/identity";
import { paths } from "../../paths.ts";
import { Button, TextLink } from "../../ui/forms/button.tsx";
import { FormErrors } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { PostForm } from "../../ui/forms/post-form.tsx";
import { usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { LinkedText } from "../../ui/layout/linked-text.tsx";
import type { Route } from "./+types/agree.ts";

type ShownDocument = { to: string; label: string; changes: string[] };

/** Somebody who has not agreed to the documents in force can open only this page, the documents and support, and leave with their data. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = actorOf(context);
  if (actor.kind !== "user") throw goTo(paths.landing, { kind: "error", key: "guards.authRequired" });
  const asked = await documentsToAgree(actor);
  if (asked === undefined) throw goTo(nextOf(request));
  const t = getTranslator(actor.language);
  return {
    title: t("auth.agree.title"),
    isFirst: [asked.terms, asked.privacy].every((since) => since === null || since.length === 0),
    documents: shownDocuments(asked, actor.language),
    versions: consentVersions,
  };
}

/** The documents in question, each with what has changed since the version that the person agreed to. */
function shownDocuments(
  { terms, privacy }: NonNullable<Awaited<ReturnType<typeof documentsToAgree>>>,
  language: Language,
): ShownDocument[] {
  const t = getTranslator(language);
  const { termsDate: termsFrom, privacyDate: privacyFrom } = readDocumentFacts(language);
  const shown: ShownDocument[] = [];
  if (terms !== null)
    shown.push({
      to: paths.terms,
      label: t("auth.agree.terms", { date: termsFrom }),
      changes: terms.map((version) => t(`auth.agree.termsChanges.${version}`)),
    });
  if (privacy !== null)
    shown.push({
      to: paths.privacy,
      label: t("auth.agree.privacy", { date: privacyFrom }),
      changes: privacy.map((version) => t(`auth.agree.privacyChanges.${version}`)),
    });
  return shown;
}

export async function action({ context, request }: Route.ActionArgs) {
  const form = readForm("agree", await postedForm(request), agreeInput);
  if (!form.ok) return form.answer;
  const done = await agreeToDocuments(actorOf(context), form.value);
  if (!done.ok) return form.refuse(done);
  return goTo(nextOf(request), { kind: "success", key: "identity.documentsAgreed" });
}

function nextOf(request: Request): string {
  return safeNextPath(new URL(request.url).searchParams.get("next"), paths.chat);
}

export const headers = forwardActionHeaders;

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Agree() {
  const t = useT();
  const { title, isFirst, documents, versions } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>();
  const [form, fields] = usePostedForm("agree", agreeInput, posted);
  const errors = [
    ...new Set([form.errors, fields.terms.errors, fields.privacy.errors].flatMap((of) => of ?? [])),
  ];
  return (
    <Page width="narrow">
      <PageHead title={title} lead={t(isFirst ? "auth.agree.leadFirst" : "auth.agree.lead")} />
      <Card>
        {documents.map(({ to, label, changes }) => (
          <div key={to}>
            <TextLink to={to}>{label}</TextLink>
            {changes.map((change) => (
              <p key={change} className="text-pretty">
                {change}
              </p>
            ))}
          </div>
        ))}
        <PersonForm className="grid gap-4" noValidate>
          <FormErrors id={form.errorId} errors={errors} />
          <input type="hidden" name="terms" value={versions.terms} />
          <input type="hidden" name="privacy" value={versions.privacy} />
          <Button>{t("auth.agree.go")}</Button>
        </PersonForm>
        <p className="text-pretty text-sm text-quiet">{t("auth.agree.money")}</p>
      </Card>
      <Card title={t("auth.agree.otherwise")}>
        <p className="text-pretty">
          <LinkedText text={t("auth.agree.otherwiseWhat")} />
        </p>
        <PersonForm action={paths.logout}>
          <Button look="plain">{t("header.signOut")}</Button>
        </PersonForm>
        <PostForm name="data" to={paths.settingsData}>
          <Button look="quiet" className="justify-self-start">
            {t("settings.data.download")}
          </Button>
        </PostForm>
        <TextLink to={paths.settingsDelete}>{t("settings.delete.title")}</TextLink>
      </Card>
    </Page>
  );
}
