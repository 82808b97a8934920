import { CircleCheck } from "lucide";
import { useActionData, useLoaderData } from "react-router";
import { handleHoldForm } from "#app/routes/backoffice/transactions/holds/hold-actions";
import { notFound, parseId, postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { stepReasonSchema } from "#forms/payments";
import { getTranslator } from "#locales";
import { holdsOfTrade } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Disclosure } from "../../../ui/layout/disclosure.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/holds.ts";
import { HoldItem } from "./holds/hold-item.tsx";

/** Every reason that holds or has held a trade, with all its facts and its resolution. */
export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const id = parseId(params.id);
  const found = await holdsOfTrade(admin, id);
  if (!found.ok) throw notFound("record");
  const { holds, code, ownTrade } = found;
  const title = `${getTranslator(admin.language)("admin.hold.title")} · ${code}`;
  return { id, holds, code, ownTrade, title };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = requireAdministrator(context, request);
  return handleHoldForm(admin, parseId(params.id), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminHolds() {
  const t = useT();
  const { id, holds, code, ownTrade } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const open = holds.filter(({ closed }) => closed === null);
  const closed = holds.filter((hold) => hold.closed !== null);
  return (
    <Page width="text">
      <BackofficeNavigation at="transactions" within />
      <TextLink to={paths.adminTransaction(id)}>{t("admin.transcript.back", { code })}</TextLink>
      {open.length > 0 ? (
        <PageHead title={t("admin.hold.title")} lead={t("admin.hold.lead")} />
      ) : (
        <PageHead title={t("admin.hold.notHeld")} />
      )}
      {ownTrade && <p className="font-semibold text-warn">{t("errors.OWN_TRADE")}</p>}
      <Card title={t("admin.hold.open")}>
        {open.length === 0 && <EmptyState icon={CircleCheck} title={t("admin.hold.none")} />}
        <ul className="grid gap-4">
          {open.map((hold) => (
            <HoldItem key={hold.id} hold={hold} posted={posted} readOnly={ownTrade} />
          ))}
        </ul>
      </Card>
      {closed.length > 0 && (
        <Card title={t("admin.hold.closed")}>
          <ul className="grid gap-4">
            {closed.map((hold) => (
              <HoldItem key={hold.id} hold={hold} posted={null} readOnly />
            ))}
          </ul>
        </Card>
      )}
      {!ownTrade && <Report />}
    </Page>
  );
}

function Report() {
  const t = useT();
  const posted = useActionData<typeof action>() ?? null;
  const [form, fields] = usePostedForm("report", stepReasonSchema, posted);
  return (
    <Disclosure
      id="step-report"
      summary={t("admin.hold.report")}
      look="danger"
      open={posted?.form === "report"}
    >
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="report" />
        <FormErrors id={form.errorId} errors={form.errors} />
        <TextField
          label={t("admin.hold.reportLabel")}
          hint={t("admin.hold.reportHint")}
          field={fields.reason}
        />
        <Button look="danger">{t("admin.hold.report")}</Button>
      </PersonForm>
    </Disclosure>
  );
}
