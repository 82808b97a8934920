import { useActionData, useLoaderData } from "react-router";
import { handleTestMailForm } from "#app/routes/backoffice/email/template-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { forwardActionHeaders } from "#app/server/pages/posted-forms";
import { getTranslator } from "#locales";
import { emailConfig, emailTemplates } from "#modules/identity";
import { paths } from "../../../paths.ts";
import { TextLink } from "../../../ui/forms/button.tsx";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/email.ts";
import { TestMail } from "./test-mail.tsx";

/** How email is sent, and the templates that can be customised. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const server = emailConfig(admin);
  const listed = await emailTemplates(admin);
  if (!server.ok || !listed.ok) throw new Error("admin/email: an administrator was refused");
  return {
    server: server.config,
    templates: listed.templates.map(({ name, version, customizations }) => ({
      name,
      version,
      layout: customizations.layout,
    })),
    title: getTranslator(admin.language)("admin.mail.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleTestMailForm(admin, await postedForm(request));
}

export const headers = forwardActionHeaders;
export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminEmail() {
  const t = useT();
  const { server, templates } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { configured, host, port, user, addresses } = server;
  const rows = [
    ...(configured
      ? [
          { label: t("admin.mail.host"), value: host },
          { label: t("admin.mail.port"), value: port },
          { label: t("admin.mail.user"), value: user ?? t("admin.mail.noUser") },
        ]
      : []),
    { label: t("admin.mail.addressAdmin"), value: addresses.admin },
    { label: t("admin.mail.addressTransaction"), value: addresses.transaction },
    { label: t("admin.mail.addressAccount"), value: addresses.account },
  ];
  return (
    <Page>
      <BackofficeNavigation at="email" />
      <PageHead title={t("admin.mail.title")} lead={t("admin.mail.lead")} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Card title={t("admin.mail.server")}>
          <Notice
            tone={configured ? "good" : "warn"}
            title={t(configured ? "admin.mail.configured" : "admin.mail.notConfigured")}
          >
            {!configured && <p>{t("admin.mail.notConfiguredHint")}</p>}
          </Notice>
          <FactList rows={rows} />
        </Card>
        <TestMail title={t("admin.mail.test")} hint={t("admin.mail.testHint")} posted={posted} />
      </div>
      <Card title={t("admin.mail.templates")}>
        <ul className="grid divide-y divide-line">
          {templates.map(({ name, version, layout }) => (
            <li key={name} className="grid gap-1 py-3 sm:grid-cols-[minmax(0,1fr)_auto] sm:items-center">
              <span className="grid">
                <TextLink to={paths.adminEmailTemplate(name)}>
                  {t(`admin.mail.template.${name}.name`)}
                </TextLink>
                <span className="text-sm text-quiet">{t(`admin.mail.template.${name}.about`)}</span>
              </span>
              <span className="text-sm text-quiet tabular-nums">
                {t(`admin.mail.layouts.${layout}`)} ·{" "}
                {version === 0 ? t("admin.mail.untouched") : t("admin.mail.version", { version })}
              </span>
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
