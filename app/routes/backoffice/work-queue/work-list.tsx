import { CircleCheck } from "lucide";
import { formatMoney, formatWhen } from "#format";
import type { WorkKind } from "#forms/escrow";
import { paths } from "../../../paths.ts";
import { Button, ButtonLink, SpokenContext } from "../../../ui/forms/button.tsx";
import { PersonForm } from "../../../ui/forms/person-form.tsx";
import { useLanguage, useT, useText } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { EmptyState } from "../../../ui/layout/empty-state.tsx";
import { Countdown } from "../../../ui/trade/progress/clocks.tsx";
import { PayoutSender } from "../payouts/payout-claim.tsx";
import type { Task } from "./tasks.ts";

interface WorkProps {
  tasks: Task[];
  counts: Array<{ kind: WorkKind; total: number; more: boolean }>;
  /** The kind that is shown; null for all. */
  show: WorkKind | null;
  /** How many more tasks wait behind those shown, and whether there are still more than that. */
  behind: number;
  more: boolean;
  serverTime: string;
}

/** The administrators' tasks, earliest deadline first; each links to the page where it is done. */
export function WorkList({ tasks, counts, show, behind, more, serverTime }: WorkProps) {
  const t = useT();
  return (
    <Card title={t("admin.work.title")} id="work">
      <TaskKinds counts={counts} show={show} />
      {tasks.length === 0 && <EmptyState icon={CircleCheck} title={t("admin.work.nothing")} />}
      <ol className="grid gap-3">
        {tasks.map((task) => (
          <TaskItem key={`${task.kind}-${task.id}`} task={task} serverTime={serverTime} />
        ))}
      </ol>
      {behind > 0 && (
        <p className="text-quiet">
          {more ? t("admin.work.moreThan", { sum: behind }) : t("admin.work.more", { count: behind })}
        </p>
      )}
    </Card>
  );
}

/** The number of tasks of each kind, as links that show only that kind. */
function TaskKinds({ counts, show }: Pick<WorkProps, "counts" | "show">) {
  const t = useT();
  const some = counts.filter(({ kind, total }) => total > 0 || kind === show);
  const all = counts.reduce((sum, { total }) => sum + total, 0);
  if (all === 0 && show === null) return null;
  return (
    <nav aria-label={t("admin.work.kinds")}>
      <ul className="flex flex-wrap gap-2">
        <TaskKindLink
          to={paths.admin}
          label={t("admin.work.all")}
          total={all}
          more={counts.some(({ more }) => more)}
          current={show === null}
        />
        {some.map(({ kind, total, more }) => (
          <TaskKindLink
            key={kind}
            to={paths.adminWork(kind)}
            label={t(`admin.work.kind.${kind}`)}
            total={total}
            more={more}
            current={show === kind}
          />
        ))}
      </ul>
    </nav>
  );
}

function TaskKindLink(props: { to: string; label: string; total: number; more: boolean; current: boolean }) {
  const { to, label, total, more, current } = props;
  return (
    <li>
      <a
        href={to}
        aria-current={current ? "true" : undefined}
        className={`inline-flex min-h-11 items-center gap-2 rounded-control border px-3 font-semibold wrap-anywhere no-underline ${current ? "border-brand bg-brand-soft text-ink" : "border-line text-quiet hover:text-ink"}`}
      >
        {label}
        <span className="tabular-nums">{more ? `${total}+` : total}</span>
      </a>
    </li>
  );
}

const nearDeadlineSeconds = 30 * 60;

/** Kinds whose `who` is not the person concerned: the mediator of a dispute, or the proposer of an entry. */
const whoseName: Partial<Record<WorkKind, "dispute" | "byHand">> = {
  dispute: "dispute",
  byHand: "byHand",
  settlement: "byHand",
};

function TaskItem({ task, serverTime }: { task: Task; serverTime: string }) {
  const t = useT();
  const language = useLanguage();
  const text = useText();
  const { kind, code, amount, who, notes, warnings, reason, dueAt, overdue } = task;
  const whose = whoseName[kind];
  const about = [
    code,
    amount !== undefined && formatMoney(amount),
    who,
    formatWhen(dueAt, serverTime, language),
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <li
      data-row
      data-task={kind}
      className="grid gap-x-6 gap-y-2 border-line pb-3 not-last:border-b lg:grid-cols-[minmax(0,1fr)_auto] lg:items-center"
    >
      <div className="grid gap-1">
        <p className="flex flex-wrap items-baseline gap-x-3">
          <strong>{t(`admin.work.kind.${kind}`)}</strong>
          {code !== undefined && <span className="font-mono font-semibold">{code}</span>}
          {amount !== undefined && <strong className="tabular-nums">{formatMoney(amount)}</strong>}
          {who !== undefined && (
            <span className="wrap-anywhere">
              {whose === undefined ? who : t(`admin.work.who.${whose}`, { name: who })}
            </span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm">
          {overdue ? (
            <strong className="text-bad">{t("clock.overdue")}</strong>
          ) : (
            <Countdown until={dueAt} serverNow={serverTime} near={nearDeadlineSeconds} />
          )}
          <time dateTime={dueAt} className="whitespace-normal text-quiet tabular-nums">
            {t("admin.due", { at: formatWhen(dueAt, serverTime, language) })}
          </time>
          {notes.map((key) => (
            <span key={key}>{text(key)}</span>
          ))}
          {task.sender !== undefined && <PayoutSender sender={task.sender} />}
          {warnings.map((key) => (
            <span key={key} className="font-semibold text-warn">
              {text(key)}
            </span>
          ))}
        </p>
        {reason && <p className="text-sm text-quiet wrap-anywhere">{reason}</p>}
      </div>
      <div className="flex flex-wrap items-start gap-2">
        {task.to !== null && (
          <ButtonLink to={task.to} look={kind === "mail" ? "plain" : "primary"}>
            {t(`admin.work.open.${kind}`)}
            <SpokenContext of={about} />
          </ButtonLink>
        )}
        {kind === "job" && <TaskButton form="retry-job" task={task} about={about} look="primary" />}
        {kind === "job" && <TaskButton form="drop-job" task={task} about={about} look="plain" />}
        {kind === "mail" && <TaskButton form="settle-mail" task={task} about={about} look="primary" />}
      </div>
    </li>
  );
}

function TaskButton(props: {
  form: "retry-job" | "drop-job" | "settle-mail";
  task: Task;
  about: string;
  look: "primary" | "plain";
}) {
  const t = useT();
  return (
    <PersonForm>
      <input type="hidden" name="form" value={props.form} />
      <input type="hidden" name="task" value={props.task.id} />
      <Button look={props.look}>
        {t(`admin.work.press.${props.form}`)}
        <SpokenContext of={props.about} />
      </Button>
    </PersonForm>
  );
}
