import { Link, useActionData, useLoaderData } from "react-router";
import { errorKey, readForm } from "#app/http/forms";
import type { Refusal } from "#app/http/outcome";
import { adminOnly, goTo, idIn, notFound, postedForm } from "#app/http/pages";
import { moment, money } from "#format";
import { settle as settleInput } from "#forms/escrow";
import * as escrow from "#modules/escrow";
import type { Member } from "#modules/identity";
import { Card, Page } from "../components/card.tsx";
import { useT, useText } from "../components/i18n.tsx";
import { PayoutItem } from "../components/payout-item.tsx";
import { Act } from "../components/trade/act.tsx";
import { paths } from "../paths.ts";
import type { Route } from "./+types/admin-transaction.ts";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const admin = adminOnly(context, request);
  const found = await escrow.adminTrade(admin, idIn(params.id));
  if (!found.ok) throw notFound();
  return { detail: found.detail };
}

export async function action({ context, params, request }: Route.ActionArgs) {
  const admin = adminOnly(context, request);
  const id = idIn(params.id);
  const body = await postedForm(request);
  const form = String(body.get("form"));
  const payout = body.has("payout") ? idIn(body.get("payout")) : 0;
  if (form !== "settle" && form !== "send") return pressed(admin, id, form, payout);
  const read = readForm(`${form}-${payout}`, body, settleInput);
  if (!read.ok) return read.answer;
  const done =
    form === "settle"
      ? await settlePayout(admin, payout, read.value)
      : await escrow.sendPayout(admin, payout, read.value);
  if (done.ok) return back(id, done, "settle");
  return done.code === "REAUTH_REQUIRED" ? reauthenticate(id) : read.refuse(done);
}

/** Settle is approve and sent in one press; each step repeats harmlessly, so a cut in between is made good by a second. */
async function settlePayout(admin: Member, payout: number, input: { bankReference: string }) {
  const approved = await escrow.approvePayout(admin, payout);
  return approved.ok ? escrow.sendPayout(admin, payout, input) : approved;
}

async function pressed(admin: Member, id: number, form: string, payout: number) {
  switch (form) {
    case "approve":
      return back(id, await escrow.approvePayout(admin, payout), form);
    case "done":
      return back(id, await escrow.payoutDone(admin, payout), form);
    case "complete":
      return back(id, await escrow.adminComplete(admin, id), form);
    case "cancel":
      return back(id, await escrow.adminCancel(admin, id), form);
    case "notify":
      return back(id, await escrow.notifyParties(admin, id), form);
    default:
      throw notFound();
  }
}

function back(id: number, done: { ok: true } | Refusal, form: string): Response {
  if (!done.ok && done.code === "REAUTH_REQUIRED") return reauthenticate(id);
  const toast = done.ok
    ? ({ kind: "success", key: `toast.admin.${form}` } as const)
    : ({ kind: "error", key: errorKey(done) } as const);
  return goTo(paths.adminTransaction(id), toast);
}

/** Money moves only within ten minutes of a login: sign in again, and come back here. */
function reauthenticate(id: number): Response {
  const next = encodeURIComponent(paths.adminTransaction(id));
  return goTo(`${paths.adminLogin}?next=${next}`, { kind: "info", key: "errors.REAUTH_REQUIRED" });
}

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: loaderData?.detail.transaction.transactionCode },
];

export default function AdminTransaction() {
  const t = useT();
  const { detail } = useLoaderData<typeof loader>();
  const posted = useActionData<typeof action>() ?? null;
  const { transaction: trade } = detail;
  const open = trade.status !== "completed" && trade.status !== "cancelled";
  return (
    <Page>
      <Link to={paths.admin} className="inline-flex min-h-11 items-center font-semibold text-brand">
        {t("admin.back")}
      </Link>
      <h1 className="text-2xl font-extrabold">
        <span className="font-mono">{trade.transactionCode}</span> · {t(`status.${trade.status}`)}
      </h1>
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <Summary detail={detail} />
        <Card title={t("admin.money")}>
          <p className="tabular-nums">{t("admin.received", { sum: money(detail.receivedAmount) })}</p>
          <p className="tabular-nums">{t("admin.held", { sum: money(detail.heldAmount) })}</p>
          {detail.payouts.length === 0 && <p className="text-quiet">{t("admin.nothingWaits")}</p>}
          {detail.payouts.map((payout) => (
            <PayoutItem key={payout.id} payout={payout} posted={posted} />
          ))}
        </Card>
        <Steps detail={detail} />
        <Card title={t("admin.actions")}>
          {detail.ownTrade && <p className="font-semibold text-warn">{t("errors.OWN_TRADE")}</p>}
          {open && (
            <Act
              form="complete"
              label={t("admin.complete")}
              look="plain"
              ask={t("admin.completeAsk", { sum: money(detail.heldAmount) })}
            />
          )}
          {trade.status !== "cancelled" && (
            <Act
              form="cancel"
              label={t("admin.cancel")}
              look="danger"
              ask={t("admin.cancelAsk", { sum: money(detail.heldAmount) })}
            />
          )}
          <Act form="notify" label={t("admin.notify")} look="plain" />
        </Card>
      </div>
    </Page>
  );
}

type Detail = ReturnType<typeof useLoaderData<typeof loader>>["detail"];

function Summary({ detail }: { detail: Detail }) {
  const t = useT();
  const { transaction: trade, buyer, seller } = detail;
  const rows = [
    [t("admin.created"), moment(trade.createdAt)],
    [t("trade.gross"), money(trade.grossAmount)],
    [t("trade.fee", { payer: t(`trade.feePayer.${trade.feePayer}`) }), money(trade.serviceFee)],
    [t("trade.net"), money(trade.netAmount)],
    [t("admin.description"), trade.description ?? "–"],
    [t("roles.buyer"), `${buyer.displayName} (@${buyer.username})`],
    [t("roles.seller"), `${seller.displayName} (@${seller.username})`],
  ];
  return (
    <Card title={t("admin.summary")}>
      <dl className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)] gap-x-6 gap-y-1 tabular-nums">
        {rows.map(([label, value]) => (
          <div key={label} className="contents">
            <dt className="text-quiet">{label}</dt>
            <dd className="font-semibold wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Steps({ detail }: { detail: Detail }) {
  const t = useT();
  const text = useText();
  return (
    <Card title={t("admin.timeline")}>
      <ol className="grid gap-1">
        {detail.steps.map((step) => (
          <li key={step.step} className="flex flex-wrap justify-between gap-x-4">
            <span className="font-semibold">{text(`steps.${step.step}`)}</span>
            <span className="text-quiet tabular-nums">
              {step.completedAt ? moment(step.completedAt) : "–"}
            </span>
          </li>
        ))}
      </ol>
    </Card>
  );
}
