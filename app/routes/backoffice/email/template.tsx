import { useActionData, useLoaderData } from "react-router";
import { dressedIn, editMail, tryMail } from "#app/routes/backoffice/email/template-actions";
import { adminOnly, notFound, postedForm } from "#app/server/pages/page-context";
import { keptHeaders } from "#app/server/pages/posted-forms";
import { now } from "#db/clock";
import { moment } from "#format";
import { translator } from "#locales";
import { emailTemplate, requireFreshLogin } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { ButtonLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { DeskNav } from "../navigation.tsx";
import type { Route } from "./+types/template.ts";
import { MailEditor } from "./editor.tsx";
import { MailFrame } from "./frame.tsx";
import { TrialMail } from "./trial.tsx";

/** One mail that may be dressed: as it is saved, or, with `?edit`, in its editor. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const found = await emailTemplate(admin, dressedIn(params.template));
  if (!found.ok) throw notFound();
  const { template } = found;
  return {
    template,
    editing: new URL(request.url).searchParams.has("edit"),
    fresh: requireFreshLogin(admin, now()).ok,
    title: translator(admin.language)(`admin.mail.template.${template.name}.name`),
  };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = adminOnly(context, request);
  const template = dressedIn(params.template);
  const body = await postedForm(request);
  return body.get("form") === "look" ? editMail(admin, template, body) : tryMail(admin, body, template);
}

export const headers = keptHeaders;
export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminEmailTemplate() {
  const t = useT();
  const { template, editing, fresh, title } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { name, version, savedAt, savedBy } = template;
  return (
    <Page>
      <DeskNav at="email" within />
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
          : t("admin.mail.saved", { version, at: moment(savedAt), by: savedBy ?? "–" })}
      </p>
      {editing && !fresh && <Stale />}
      <div className="grid items-start gap-6 lg:grid-cols-2">
        {editing ? (
          <MailEditor template={template} posted={posted} />
        ) : (
          <TrialMail
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

/** Saving would be refused. The way to sign in opens beside the editor, so that nothing typed is lost. */
function Stale() {
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
