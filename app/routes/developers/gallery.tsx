import { MessagesSquare } from "lucide";
import { Button, ButtonLink, type ButtonLook, TextLink } from "../../ui/forms/button.tsx";
import { Copyable } from "../../ui/forms/copyable.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Toast, type ToastShown } from "../../ui/frame/toast.tsx";
import { Avatar } from "../../ui/layout/avatar.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Fold } from "../../ui/layout/disclosure.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { FactList } from "../../ui/layout/facts.tsx";
import { Linked } from "../../ui/layout/linked.tsx";
import { Mark } from "../../ui/layout/mark.tsx";
import { Notice, type Tone } from "../../ui/layout/notice.tsx";
import { Steps } from "../../ui/layout/steps.tsx";
import { Tabs } from "../../ui/layout/tabs.tsx";
import { type Money, MoneyState } from "../../ui/trade/money-state.tsx";
import { type MarkName, marks, TradeLine } from "../../ui/trade/trade-line.tsx";
import { FieldStates } from "./fields.tsx";

const looks: ButtonLook[] = ["primary", "plain", "danger", "quiet"];
const tones: Tone[] = ["info", "good", "warn", "bad"];
const moneys: Money[] = ["waiting", "held", "released", "returned", "disputed"];
const toasts: ToastShown[] = [
  { kind: "success", key: "toast.loggedIn" },
  { kind: "error", key: "guards.authRequired" },
  { kind: "info", key: "errors.PASSWORD_CHANGE_REQUIRED" },
];

/** The components beside each other, in the page's language and theme. Its words are taken from the product itself. */
export function Gallery() {
  const t = useT();
  return (
    <Page>
      <PageHead title={t("design.title")} lead={t("design.lead")}>
        <Mark className="size-16 text-khadag" />
      </PageHead>
      <Card title={t("design.colours")}>
        <Colours />
      </Card>
      <Card title={t("design.money")}>
        <div className="flex flex-wrap gap-2">
          {moneys.map((money) => (
            <MoneyState key={money} money={money} />
          ))}
        </div>
        {[0, 2, 3, 6].map((done) => (
          <TradeLine key={done} done={marks.slice(0, done) as MarkName[]} />
        ))}
        <TradeLine done={["agreed", "paid"]} ended />
      </Card>
      <Card title={t("design.buttons")}>
        <Buttons />
      </Card>
      <Card title={t("design.fields")}>
        <FieldStates />
      </Card>
      <Card title={t("design.notices")}>
        {tones.map((tone) => (
          <Notice key={tone} tone={tone} title={t("landing.reminders")}>
            <Linked text={t("landing.reminder.notice")} />
          </Notice>
        ))}
        {toasts.map((toast) => (
          <Toast key={toast.kind} toast={toast} />
        ))}
      </Card>
      <Parts />
    </Page>
  );
}

const colours = [
  "bg-page",
  "bg-card",
  "bg-sunk",
  "bg-ink",
  "bg-quiet",
  "bg-line",
  "bg-edge",
  "bg-brand",
  "bg-khadag",
  "bg-brand-soft",
  "bg-good",
  "bg-good-soft",
  "bg-warn",
  "bg-warn-soft",
  "bg-bad",
  "bg-bad-soft",
  "bg-back",
  "bg-back-soft",
];

function Colours() {
  return (
    <ul className="grid grid-cols-3 gap-3 sm:grid-cols-6">
      {colours.map((colour) => (
        <li key={colour} className="grid gap-1 text-xs wrap-anywhere">
          <span className={`h-10 rounded-control border border-line ${colour}`} />
          {colour.slice(3)}
        </li>
      ))}
    </ul>
  );
}

function Buttons() {
  const t = useT();
  return (
    <>
      {[false, true].map((disabled) => (
        <div key={String(disabled)} className="flex flex-wrap gap-2">
          {looks.map((look) => (
            <Button key={look} type="button" look={look} disabled={disabled}>
              {t("trade.confirm")}
            </Button>
          ))}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-4">
        <ButtonLink to="#main">{t("chat.join")}</ButtonLink>
        <TextLink to="#main">{t("auth.forgot")}</TextLink>
      </div>
    </>
  );
}

function Parts() {
  const t = useT();
  return (
    <>
      <Card title={t("design.parts")}>
        <Tabs
          label={t("auth.tabs")}
          tabs={[
            { to: "#main", label: t("header.signIn"), current: true },
            { to: "#main-2", label: t("header.signUp"), current: false },
          ]}
        />
        <Fold summary={t("landing.guide")} open>
          <Steps
            steps={(["agreed", "paid", "held"] as const).map((key) => ({
              key,
              body: t(`landing.marks.${key}`),
            }))}
          />
        </Fold>
        <Fold summary={t("trade.openDispute")} look="danger">
          {t("trade.disputeReason")}
        </Fold>
        <FactList
          rows={[
            { label: t("trade.amount"), value: t("design.sum") },
            { label: t("trade.gross"), value: t("design.sum"), strong: true },
          ]}
        />
        <Copyable label={t("chat.code")} value="K7M2QX9TBD" />
        <div className="flex items-center gap-3">
          <Avatar initials="БД" />
          <Avatar initials="БД" large />
        </div>
      </Card>
      <Empty icon={MessagesSquare} title={t("chat.empty")}>
        <ButtonLink to="#main" look="primary">
          {t("chat.createFirst")}
        </ButtonLink>
      </Empty>
    </>
  );
}
