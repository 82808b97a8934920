import { useActionData, useLoaderData } from "react-router";
import { handleSettlementForm } from "#app/routes/backoffice/money/settlements/settlement-actions";
import { postedForm, requireAdministrator } from "#app/server/pages/page-context";
import { moneyPageSchema, settlementSchema } from "#forms/payments";
import { getTranslator } from "#locales";
import { readSettlements } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { Button, TextLink } from "../../../ui/forms/button.tsx";
import { Field } from "../../../ui/forms/field.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../../ui/forms/posted-form.ts";
import { useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { AdminErrors } from "../form-errors.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import { DiscardedProposals } from "../transactions/manual-payment/proposal.tsx";
import type { Route } from "./+types/settlements.ts";
import { SettlementList } from "./settlements/settlement-list.tsx";
import { SettlementsWaiting } from "./settlements/settlements-waiting.tsx";

/** What QPay settled to Midman's bank account, entered and confirmed by two administrators who both saw it on the statement. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const asked = new URL(request.url).searchParams.get("before") ?? undefined;
  const before = moneyPageSchema.shape.before.safeParse(asked).data;
  const found = await readSettlements(admin, { before });
  if (!found.ok) throw new Error("admin: an administrator was refused the settlements");
  return {
    ...found.settlements,
    paged: before !== undefined,
    title: getTranslator(admin.language)("admin.settlements.title"),
  };
}

export async function action({ context, request }: Route.ActionArgs) {
  return handleSettlementForm(requireAdministrator(context, request), await postedForm(request));
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function AdminSettlements() {
  const t = useT();
  const { waiting, recorded, next, paged, laidAside } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  return (
    <Page>
      <BackofficeNavigation at="money" within />
      <PageHead title={t("admin.settlements.title")} lead={t("admin.settlements.lead")} />
      <TextLink to={paths.adminMoney}>{t("admin.settlements.back")}</TextLink>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Entry posted={posted} />
        {waiting.length > 0 && <SettlementsWaiting waiting={waiting} posted={posted} />}
      </div>
      <SettlementList rows={recorded} next={next} paged={paged} />
      {laidAside.length > 0 && <DiscardedProposals all={laidAside} />}
    </Page>
  );
}

function Entry({ posted }: { posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("settlement", settlementSchema, posted);
  const sum = { unit: "₮", inputMode: "numeric", autoComplete: "off" } as const;
  return (
    <Card title={t("admin.settlements.seen")}>
      <PersonForm className="grid gap-3" noValidate>
        <input type="hidden" name="form" value="settlement" />
        <AdminErrors id={form.errorId} errors={form.errors} />
        <Field
          label={t("admin.settlements.reference")}
          field={fields.bankReference}
          autoComplete="off"
          spellCheck={false}
        />
        <Field
          label={t("admin.settlements.received")}
          hint={t("admin.settlements.receivedHint")}
          field={fields.received}
          {...sum}
        />
        <Field
          label={t("admin.settlements.cost")}
          hint={t("admin.settlements.costHint")}
          field={fields.cost}
          {...sum}
        />
        <Button>{t("admin.settlements.enter")}</Button>
      </PersonForm>
    </Card>
  );
}
