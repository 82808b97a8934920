import { History as Clock } from "lucide";
import { useLoaderData } from "react-router";
import { parseQueryNumber, requireMemberOrAlert } from "#app/server/pages/page-context";
import { currentTime } from "#db/clock";
import { getTranslator } from "#locales";
import { historyOf, readRoomProgress } from "#modules/escrow";
import { readRoomNames } from "#modules/rooms";
import { paths } from "../../paths.ts";
import { ButtonLink } from "../../ui/forms/button.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { EmptyState } from "../../ui/layout/empty-state.tsx";
import { findOwnAmount, pickTradeWords } from "../../ui/trade/progress/progress-words.ts";
import { moneyForRole } from "../../ui/trade/progress/trade-words.ts";
import { moneyStatusOf, tradeStateOf } from "../../ui/trade/state/trade-state.ts";
import type { Route } from "./+types/history.ts";
import { HistoryRow } from "./history-row.tsx";
import { tradedItem } from "./traded-item.ts";

/** Rows per page. */
const pageLength = 50;

export async function loader({ context, request }: Route.LoaderArgs) {
  const actor = requireMemberOrAlert(context, request);
  const before = parseQueryNumber(new URL(request.url).searchParams.get("before"));
  const listed = await historyOf(actor, { limit: pageLength + 1, before });
  const rows = listed.ok ? listed.transactions : [];
  const shown = rows.slice(0, pageLength);
  const roomIds = shown.map(({ chatRoomId }) => chatRoomId);
  const [found, names] = await Promise.all([readRoomProgress(actor, roomIds), readRoomNames(actor, roomIds)]);
  const t = getTranslator(actor.language);
  return {
    title: t("history.title"),
    now: currentTime().toISOString(),
    rows: shown.map((row) => {
      const { id, transactionCode: code, createdAt: at, role } = row;
      const progress = found.get(row.chatRoomId);
      const words = progress && pickTradeWords(progress);
      const known = names.get(row.chatRoomId);
      const reader = words && moneyForRole(words, role);
      return {
        id,
        code,
        person: known?.other ?? null,
        item: known ? tradedItem(known.room, row.description) : row.description,
        at,
        role,
        state: words ? tradeStateOf(words) : row.status,
        money: reader ? reader.state : moneyStatusOf(row),
        word: reader?.word ?? null,
        own: progress ? findOwnAmount(progress) : null,
      };
    }),
    /** The last row of this page, if more follow. */
    older: rows.length > pageLength ? (shown.at(-1)?.id ?? null) : null,
    first: before === undefined,
  };
}

export const meta: Route.MetaFunction = ({ loaderData }) => [{ title: loaderData?.title }];

export default function History() {
  const t = useT();
  const { rows, older, first, now } = useLoaderData<typeof loader>();
  return (
    // Flush with the edges on a phone: a row takes the whole width.
    <main
      id="main"
      tabIndex={-1}
      className="mx-auto flex w-full max-w-3xl grow flex-col outline-none sm:px-4 sm:py-8"
    >
      <h1 className="px-3 py-2.5 text-xl font-extrabold tracking-tight sm:px-0 sm:pt-0 sm:pb-4 sm:text-3xl">
        {t("history.title")}
      </h1>
      <div className="overflow-hidden border-line bg-card max-sm:border-y sm:rounded-card sm:border">
        {rows.length > 0 && (
          <ul aria-label={t("history.yours")}>
            {rows.map((row) => (
              <HistoryRow key={row.id} row={row} now={now} />
            ))}
          </ul>
        )}
        {rows.length === 0 && <NoRows first={first} />}
        {(!first || older !== null) && (
          <div className="flex flex-wrap gap-2 border-t border-line p-3">
            {!first && <ButtonLink to={paths.history}>{t("history.newest")}</ButtonLink>}
            {older !== null && <ButtonLink to={`?before=${older}`}>{t("history.older")}</ButtonLink>}
          </div>
        )}
      </div>
    </main>
  );
}

function NoRows({ first }: { first: boolean }) {
  const t = useT();
  if (!first) return <p className="p-3">{t("history.noOlder")}</p>;
  return (
    <div className="p-3">
      <EmptyState icon={Clock} title={t("history.empty")}>
        <ButtonLink to={paths.chat} look="primary">
          {t("history.toRooms")}
        </ButtonLink>
      </EmptyState>
    </div>
  );
}
