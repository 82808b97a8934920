import { formatLongMoment } from "#format";
import { resolveReportSchema } from "#forms/escrow";
import type { ReportView } from "#views/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Badge } from "../../../ui/layout/badge.tsx";
import { FactList } from "../../../ui/layout/fact-list.tsx";
import { Notice } from "../../../ui/layout/notice.tsx";
import { AdminErrors } from "../form-errors.tsx";
import { Moment } from "../moment.tsx";

/** One report: who reported whom and for what, links to investigate it, and its resolution. */
export function ReportItem({ report, posted }: { report: ReportView; posted: PostedForm | null }) {
  const t = useT();
  const language = useLanguage();
  const { id, number, about, happened, words, message, held, suspect, resolved, transaction, person } =
    report;
  return (
    <li id={`report-${id}`} data-report={number} className="grid gap-3 border-line pb-6 not-last:border-b">
      <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <strong>{t(`report.happened.${happened}`)}</strong>
        <span className="font-mono text-sm">{number}</span>
        {suspect && <Badge tone="quiet">{t("admin.reports.suspect")}</Badge>}
      </p>
      <FactList rows={factsOf(report, t)} />
      {message && (
        <QuotedWords
          title={t("admin.reports.message")}
          text={message.text || t("report.picture")}
          at={message.at}
        />
      )}
      <QuotedWords title={t("admin.reports.words")} text={words} />
      {held && (
        <Notice tone="warn">
          <p>{t("admin.reports.held")}</p>
        </Notice>
      )}
      <p className="flex flex-wrap gap-x-6">
        {transaction && about !== "code" && (
          <TextLink to={paths.adminTranscript(transaction.id)}>{t("admin.reports.transcript")}</TextLink>
        )}
        {transaction && held && (
          <TextLink to={paths.adminHolds(transaction.id)}>{t("admin.reports.holds")}</TextLink>
        )}
        {person && resolved === null && (
          <TextLink to={`${paths.adminUser(person.id)}?do=restrict#step-restrict`}>
            {t("admin.restrict.title")}
          </TextLink>
        )}
      </p>
      {resolved === null ? (
        <Resolve id={id} posted={posted} />
      ) : (
        <p className="wrap-anywhere">
          {t("admin.reports.resolvedBy", {
            at: formatLongMoment(resolved.at, language),
            name: resolved.by ?? "–",
          })}
          {`: ${resolved.note}`}
        </p>
      )}
    </li>
  );
}

function factsOf(
  { about, createdAt, reporter, email, person, transaction }: ReportView,
  t: ReturnType<typeof useT>,
) {
  const visitor = email === null ? t("admin.reports.visitor") : t("admin.reports.visitorAt", { email });
  return [
    {
      label: t("admin.reports.at"),
      value: (
        <>
          <Moment at={createdAt} /> · {t(`admin.reports.about.${about}`)}
        </>
      ),
    },
    { label: t("admin.reports.by"), value: reporter === null ? visitor : <Person {...reporter} /> },
    ...(person === null
      ? []
      : [
          {
            label: t("admin.reports.person"),
            value: (
              <>
                <Person {...person} />
                {person.restriction && ` (${t(`admin.restrict.badge.${person.restriction}`)})`}
              </>
            ),
          },
        ]),
    ...(transaction === null
      ? []
      : [
          {
            label: t("admin.reports.transaction"),
            value: <TextLink to={paths.adminTransaction(transaction.id)}>{transaction.code}</TextLink>,
          },
        ]),
  ];
}

function Person({ id, username, displayName }: NonNullable<ReportView["reporter"]>) {
  const t = useT();
  return (
    <TextLink to={paths.adminUser(id)}>
      {username === null ? t("admin.users.deletedName", { id }) : `${displayName} @${username}`}
    </TextLink>
  );
}

/** A person's own words, set apart from Midman's text. */
function QuotedWords({ title, text, at }: { title: string; text: string; at?: string }) {
  return (
    <figure className="grid gap-1">
      <figcaption className="text-sm text-quiet tabular-nums">
        {title}
        {at !== undefined && (
          <>
            {" · "}
            <Moment at={at} />
          </>
        )}
      </figcaption>
      <blockquote className="rounded-control bg-sunk px-4 py-3 whitespace-pre-wrap wrap-anywhere">
        {text}
      </blockquote>
    </figure>
  );
}

function Resolve({ id, posted }: { id: number; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm(`report-${id}`, resolveReportSchema, posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="resolve" />
      <input type="hidden" name="report" value={id} />
      <AdminErrors id={form.errorId} errors={form.errors} />
      <TextField label={t("admin.reports.note")} field={fields.note} rows={2} />
      <Button className="justify-self-start">{t("admin.reports.go")}</Button>
    </PersonForm>
  );
}
