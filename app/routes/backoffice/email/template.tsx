import { useActionData, useLoaderData } from "react-router";
import {
  handleMailTemplateForm,
  handleTestMailForm,
  templateNameIn,
} from "#app/routes/backoffice/email/template-actions";
import { notFound, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { forwardActionHeaders } from "#app/server/pages/posted-forms";
import { currentTime } from "#db/clock";
import { formatLongMoment } from "#format";
import { getTranslator } from "#locales";
import { emailTemplate, requireFreshLogin } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/template.ts";
import { MailEditor } from "./editor.tsx";
import { MailFrame } from "./preview-frame.tsx";
import { TestMail } from "./test-mail.tsx";

/** A customisable email: as it is saved or, with `?edit`, in its editor. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const found = await emailTemplate(admin, templateNameIn(params.template));
  if (!found.ok) throw notFound("record");
  const { template } = found;
  return {
    template,
    editing: new URL(request.url).searchParams.has("edit"),
    fresh: requireFreshLogin(admin, currentTime()).ok,
    title: getTranslator(admin.language)(`admin.mail.template.${template.name}.name`),
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  const template = templateNameIn(params.template);
  const body = await postedForm(request);
  return body.get("form") === "look"
    ? handleMailTemplateForm(admin, template, body)
    : handleTestMailForm(admin, body, template);
}

export const headers = forwardActionHeaders;
export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminEmailTemplate() {
  const t = useT();
  const language = useLanguage();
  const { template, editing, fresh, title } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { name, version, savedAt, savedBy } = template;
  return (
    <Page>
      <BackofficeNavigation at="email" within />
      <PageHead title={title} lead={t(`admin.mail.template.${name}.about`)}>
        {editing ? (
          <ButtonLink to={paths.adminEmailTemplate(name)}>{t("admin.mail.view")}</ButtonLink>
        ) : (
          <ButtonLink to={paths.adminEmailEdit(name)} look="primary">
            {t("admin.mail.edit")}
          </ButtonLink>
        )}
        <ButtonLink to={paths.adminEmailExport(name)}>{t("admin.mail.export")}</ButtonLink>
      </PageHead>
      <p className="text-sm text-quiet tabular-nums">
        {savedAt === null
          ? t("admin.mail.untouched")
          : t("admin.mail.saved", { version, at: formatLongMoment(savedAt, language), by: savedBy ?? "–" })}
      </p>
      {editing && !fresh && <StaleSignInNotice />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {editing ? (
          <MailEditor template={template} posted={posted} />
        ) : (
          <TestMail
            title={t("admin.mail.test")}
            hint={t("admin.mail.testTemplate")}
            posted={posted}
            languages
          />
        )}
        <Card title={t("admin.mail.preview")} className="lg:sticky lg:top-4">
          <MailFrame name={name} title={title} editing={editing} />
        </Card>
      </div>
    </Page>
  );
}

/** Shown when saving would be refused. The link to sign in opens in another tab, so that no input is lost. */
function StaleSignInNotice() {
  const t = useT();
  return (
    <Notice tone="warn" title={t("admin.mail.stale")}>
      <p>{t("admin.mail.staleHint")}</p>
      <a
        href={paths.adminLogin}
        target="_blank"
        rel="noopener"
        className="inline-flex min-h-11 items-center underline"
      >
        {t("admin.mail.staleGo")}
      </a>
    </Notice>
  );
}
