import { data, useActionData, useLoaderData } from "react-router";
import { handleTradeForm } from "#app/routes/room/room-actions";
import { readTransactionPage } from "#app/routes/transactions/read-transaction-page";
import {
  goTo,
  notFound,
  parseId,
  postedForm,
  requireMember,
  requireMemberOrAlert,
} from "#app/server/pages/page-context";
import { readForm } from "#app/server/pages/posted-forms";
import { formatLongDay } from "#format";
import { sendMessageInput } from "#forms/rooms";
import { getTranslator } from "#locales";
import { readTrade } from "#modules/escrow";
import { sendMessage } from "#modules/rooms";
import { paths } from "../../paths.ts";
import { ButtonLink, TextLink } from "../../ui/forms/button.tsx";
import { useLanguage, useT } from "../../ui/frame/i18n.tsx";
import { Page, PageHead } from "../../ui/layout/card.tsx";
import { FactRow } from "../../ui/rows/fact-row.tsx";
import { RowGroup } from "../../ui/rows/row-group.tsx";
import { progressGroupOf, turnForRole } from "../../ui/trade/progress/trade-words.ts";
import { RefundCard, RefundDeadline } from "../../ui/trade/refund-card.tsx";
import { TradeHead } from "../../ui/trade/state/trade-head.tsx";
import { TradeProgress } from "../../ui/trade/state/trade-progress.tsx";
import type { TradeShown } from "../../ui/trade/types.ts";
import type { Route } from "./+types/transaction.ts";
import { AmountsRow } from "./amounts-row.tsx";
import { Chat } from "./chat.tsx";
import { InformationRows, RefundRow } from "./information-rows.tsx";
import { PeopleRow } from "./people-row.tsx";
import { TimesRow } from "./times-row.tsx";
import { extraDescription } from "./traded-item.ts";
import { TransactionMissing } from "./transaction-missing.tsx";

export async function loader({ context, params, request }: Route.LoaderArgs) {
  const member = requireMemberOrAlert(context, request);
  const before = Number(new URL(request.url).searchParams.get("before")) || undefined;
  const detail = await readTransactionPage(member, parseId(params.id, "transaction"), before);
  const title = detail
    ? `${nameTransaction(detail)} · ${detail.trade.code}`
    : getTranslator(member.language)("transaction.notShown");
  return data({ title, detail: detail ?? null }, { status: detail === undefined ? 404 : 200 });
}

/** With whom a trade is and for what, as its heading says it; without the item once the room's name was erased. */
function nameTransaction({ person, room }: { person: string; room: string | null }): string {
  return [person, room].filter(Boolean).join(" · ");
}

/** Posts a message to the trade's room, or saves the account of a refund, which is entered here if the room is gone. */
export async function action({ context, params, request }: Route.ActionArgs) {
  const member = requireMember(context, request);
  const id = parseId(params.id, "transaction");
  const found = await readTrade(member, id);
  if (!found.ok) throw notFound("transaction");
  const body = await postedForm(request);
  if (body.get("form") === "refund-destination") {
    return handleTradeForm(member, found.trade, "refund-destination", body, paths.transaction(id));
  }
  const read = readForm("message", body, sendMessageInput);
  if (!read.ok) return read.answer;
  const done = await sendMessage(member, found.trade.chatRoomId, read.value);
  return done.ok ? goTo(paths.transaction(id)) : read.refuse(done);
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function Transaction() {
  const t = useT();
  const language = useLanguage();
  const posted = useActionData<typeof action>() ?? null;
  const { detail } = useLoaderData<typeof loader>();
  if (detail === null) return <TransactionMissing />;
  const { trade, role, serverNow, roomId, startedAt, chat, prefill } = detail;
  const extra = extraDescription(detail.room, trade.description);
  return (
    <Page inPlace>
      <TextLink to={paths.history}>{t("transaction.toHistory")}</TextLink>
      <PageHead
        title={nameTransaction(detail)}
        lead={
          <>
            {extra && <span className="block text-ink wrap-anywhere">{extra}</span>}
            <span className="font-mono">{trade.code}</span> ·{" "}
            {t("transaction.started", { date: formatLongDay(startedAt, language) })}
          </>
        }
      >
        <p className="font-bold" data-status={trade.status}>
          {t(`transaction.status.${progressGroupOf(trade)}`)}
        </p>
      </PageHead>
      <div className="grid items-start gap-6 lg:grid-cols-[23rem_minmax(0,1fr)]">
        <div className="grid grid-cols-1 gap-2.5">
          {prefill && <RefundCard {...{ trade, role, prefill, posted, serverNow }} />}
          <TradeHead {...{ trade, role, serverNow }}>
            {chat.open && <RefundDeadline {...{ trade, role, serverNow }} />}
            {chat.open && <RoomLink trade={trade} role={role} roomId={roomId} />}
          </TradeHead>
          <TradeProgress {...{ trade, role, serverNow }} />
          <RowGroup>
            <TimesRow times={detail.times} />
            <AmountsRow trade={trade} />
            <InformationRows trade={trade} role={role} />
            {!prefill && <RefundRow trade={trade} />}
            <PeopleRow seats={chat.seats} me={chat.me} />
          </RowGroup>
          <RowGroup>
            <FactRow label={t("verify.title")} to={paths.verify(trade.code)} />
            <FactRow label={t("pages.support")} to={`${paths.support}?code=${trade.code}#write`} />
          </RowGroup>
        </div>
        <Chat chat={chat} posted={posted} />
      </div>
    </Page>
  );
}

/** The way to the room, where every step is taken; to the QR code while there is one to pay. */
function RoomLink({ trade, role, roomId }: { trade: TradeShown; role: "buyer" | "seller"; roomId: number }) {
  const t = useT();
  const toQr = trade.qr !== null && !trade.heldForChecking;
  return (
    <ButtonLink
      to={toQr ? paths.roomTrade(roomId) : paths.room(roomId)}
      look={turnForRole(trade, role).own ? "primary" : "plain"}
      className="mt-2"
    >
      {t(toQr ? "trade.getQr" : "transaction.toRoom")}
    </ButtonLink>
  );
}
