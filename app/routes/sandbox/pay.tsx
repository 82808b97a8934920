import { useLoaderData } from "react-router";
import { z } from "zod";
import { actorOf, goTo, notFound, postedForm } from "#app/server/pages/page-context";
import { parseAmount } from "#app/server/texts/parse-amount";
import { currentTime } from "#db/clock";
import { formatMoment, formatMoney, unpackMessage } from "#format";
import { amountSchema } from "#forms/escrow";
import { getTranslator } from "#locales";
import { findSandboxInvoice, paySandboxInvoice } from "#modules/payments";
import { paths } from "../../paths.ts";
import { Button } from "../../ui/forms/button.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card, Page } from "../../ui/layout/card.tsx";
import type { Route } from "./+types/pay.ts";

const sandboxPaymentSchema = z.object({
  amount: z.string("validation.amount").transform(parseAmount).pipe(amountSchema),
  callback: z.string().optional(),
});

/** The provider's page on which a person plays the payer. It exists only while the sandbox is the provider. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const invoice = await findSandboxInvoice(params.invoiceId);
  if (invoice === null) throw notFound("record");
  return { invoice, title: getTranslator(actorOf(context).language)("sandbox.payTitle") };
}

export async function action({ params, request }: Route.ActionArgs) {
  const here = paths.sandboxPay(params.invoiceId);
  const input = sandboxPaymentSchema.safeParse(Object.fromEntries(await postedForm(request)));
  if (!input.success) {
    const { key, params } = unpackMessage(input.error.issues[0]?.message ?? "");
    return goTo(here, { kind: "error", key, params });
  }
  const { amount, callback } = input.data;
  const paid = await paySandboxInvoice(
    params.invoiceId,
    { amount, callback: callback === "on" },
    currentTime(),
  );
  return goTo(
    here,
    paid.ok ? { kind: "success", key: "toast.sandboxPaid" } : { kind: "error", key: "errors.NOT_FOUND" },
  );
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function SandboxPay() {
  const t = useT();
  const { invoice } = useLoaderData<typeof loader>();
  const rest = Math.max(1, invoice.amount - invoice.paid);
  return (
    <Page width="narrow">
      <h1 className="text-2xl font-extrabold tracking-tight sm:text-3xl">{t("sandbox.payTitle")}</h1>
      <Card>
        <p className="wrap-anywhere">{invoice.description}</p>
        <p className="text-3xl font-extrabold tabular-nums">{formatMoney(invoice.amount)}</p>
        <p>{t("sandbox.paid", { sum: formatMoney(invoice.paid) })}</p>
        <PersonForm action={`${paths.sandboxPay(invoice.id)}/press`} className="grid gap-4">
          <label className="grid gap-1.5 font-semibold">
            {t("sandbox.amount")}
            <input
              name="amount"
              inputMode="numeric"
              defaultValue={rest}
              required
              className="min-h-11 rounded-control border border-edge bg-card px-3 font-normal tabular-nums"
            />
          </label>
          <label className="flex min-h-11 cursor-pointer items-center gap-3">
            <input type="checkbox" name="callback" defaultChecked className="size-5 accent-brand" />
            {t("sandbox.callback")}
          </label>
          <Button>{t("sandbox.pay")}</Button>
        </PersonForm>
        <ul className="grid gap-1 text-sm">
          {invoice.payments.map((payment) => (
            <li key={payment.id} className="tabular-nums">
              {formatMoney(payment.amount)} · {payment.status} · {formatMoment(payment.paidAt)}
            </li>
          ))}
        </ul>
      </Card>
    </Page>
  );
}
