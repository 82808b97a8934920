import { useLoaderData } from "react-router";
import { requireAdministrator } from "#app/server/pages/page-context";
import { formatDay, formatMoment, formatMoney, formatWhen } from "#format";
import { moneyPageSchema, payoutStateSchema } from "#forms/payments";
import { getTranslator } from "#locales";
import { listPayouts } from "#modules/escrow";
import { paths } from "../../../paths.ts";
import { SpokenContext, TextLink } from "../../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../../ui/frame/i18n.tsx";
import { Card, Page, PageHead } from "../../../ui/layout/card.tsx";
import { Tabs } from "../../../ui/layout/tabs.tsx";
import { BankName } from "../../../ui/trade/bank-name.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import { Transfers } from "../money/transfers.tsx";
import { BackofficeNavigation } from "../navigation/navigation.tsx";
import type { Route } from "./+types/payouts.ts";
import { PayoutSender } from "./payout-claim.tsx";

const payoutTabs = ["sent", "done", "unknown", "void"] as const;

/** Payouts and refunds: those waiting, earliest deadline first, or those in one state, newest first. */
export async function loader({ context, request }: Route.LoaderArgs) {
  const admin = requireAdministrator(context, request);
  const query = new URL(request.url).searchParams;
  const state = payoutStateSchema.safeParse(query.get("state")).data;
  const beyond = moneyPageSchema.shape.before.safeParse(query.get("beyond") ?? undefined).data;
  const found = await listPayouts(admin, { state, beyond });
  if (!found.ok) throw new Error("admin: an administrator was refused the payouts");
  const { payouts, next, serverTime } = found;
  return {
    ...{ payouts, next, serverTime, today: formatDay(serverTime) },
    state: state ?? null,
    paged: beyond !== undefined,
    title: getTranslator(admin.language)("admin.payouts.title"),
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

type PayoutsShown = ReturnType<typeof useLoaderData<typeof loader>>;

export default function AdminPayouts() {
  const t = useT();
  const { payouts, next, serverTime, today, state, paged } = useLoaderData<typeof loader>();
  const here = state === null ? paths.adminPayouts : paths.adminPayoutsOf(state);
  return (
    <Page>
      <BackofficeNavigation at="payouts" />
      <PageHead title={t("admin.payouts.title")} lead={t("admin.payouts.lead")} />
      <Tabs
        label={t("admin.payouts.states")}
        tabs={[
          { to: paths.adminPayouts, label: t("admin.payouts.waiting"), current: state === null },
          ...payoutTabs.map((one) => ({
            to: paths.adminPayoutsOf(one),
            label: t(`admin.payouts.tab.${one}`),
            current: state === one,
          })),
        ]}
      />
      <Card label={t("admin.payouts.title")}>
        {payouts.length === 0 ? (
          <p className="text-quiet">{t("admin.payouts.none")}</p>
        ) : (
          <ul className="grid gap-3">
            {payouts.map((row) => (
              <Row key={row.id} row={row} serverTime={serverTime} />
            ))}
          </ul>
        )}
        {(next !== null || paged) && (
          <p className="flex flex-wrap gap-x-6">
            {paged && <TextLink to={here}>{t("admin.payouts.first")}</TextLink>}
            {next !== null && (
              <TextLink to={`${here}${state === null ? "?" : "&"}beyond=${next}`}>
                {t("admin.payouts.next")}
              </TextLink>
            )}
          </p>
        )}
      </Card>
      <Transfers today={today} />
    </Page>
  );
}

function Row({ row, serverTime }: { row: PayoutsShown["payouts"][number]; serverTime: string }) {
  const t = useT();
  const language = useLanguage();
  const { id, kind, state, amount, transaction, overdue, dueAt, sentAt } = row;
  return (
    <li
      data-row
      data-payout={id}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-line pb-3 not-last:border-b"
    >
      <a
        href={paths.adminPayout(id)}
        className="flex min-h-11 flex-wrap content-center items-center gap-x-3 font-semibold text-brand underline underline-offset-4"
      >
        {t(row.suspense ? "admin.work.kind.suspense" : `admin.kind.${kind}`)}
        <span className="font-mono whitespace-nowrap">{transaction.code}</span>
        <SpokenContext of={`${formatMoney(amount)}, ${t(`admin.state.${state}`)}`} />
      </a>
      <strong className="text-right whitespace-nowrap tabular-nums">{formatMoney(amount)}</strong>
      <p className="col-span-2 flex flex-wrap gap-x-4 text-sm">
        <span className="font-semibold">{t(`admin.state.${state}`)}</span>
        {row.referenceMissing && <span className="text-warn">{t("admin.referenceMissing")}</span>}
        {row.recipient !== null && <span className="wrap-anywhere">{row.recipient}</span>}
        {row.bankName === null ? (
          <span className="text-warn">{t("admin.noDestination")}</span>
        ) : (
          <span className="wrap-anywhere">
            <BankName name={row.bankName} />
            {` ${row.account}`}
          </span>
        )}
        {row.sender !== null && <PayoutSender sender={row.sender} />}
        {sentAt === null ? (
          <span className="tabular-nums">
            {overdue && <strong className="text-bad">{t("clock.overdue")}</strong>}
            {!overdue && state !== "void" && <Countdown until={dueAt} serverNow={serverTime} near={1800} />}{" "}
            {t("admin.due", { at: formatWhen(dueAt, serverTime, language) })}
          </span>
        ) : (
          <time dateTime={sentAt} className="text-quiet tabular-nums">
            {formatMoment(sentAt)}
          </time>
        )}
      </p>
    </li>
  );
}
