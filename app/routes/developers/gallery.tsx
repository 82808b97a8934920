import { MessagesSquare } from "lucide";
import { Button, ButtonLink, type ButtonLook, TextLink } from "../../ui/forms/button.tsx";
import { CopyableValue } from "../../ui/forms/copyable-value.tsx";
import { useT } from "../../ui/frame/i18n.tsx";
import { Toast, type ToastShown } from "../../ui/frame/toast.tsx";
import { Avatar } from "../../ui/layout/avatar.tsx";
import { Card, Page, PageHead } from "../../ui/layout/card.tsx";
import { Disclosure } from "../../ui/layout/disclosure.tsx";
import { EmptyState } from "../../ui/layout/empty-state.tsx";
import { FactList } from "../../ui/layout/fact-list.tsx";
import { LinkedText } from "../../ui/layout/linked-text.tsx";
import { MidmanMark } from "../../ui/layout/midman-mark.tsx";
import { Notice, type NoticeTone } from "../../ui/layout/notice.tsx";
import { Steps } from "../../ui/layout/steps.tsx";
import { Tabs } from "../../ui/layout/tabs.tsx";
import { MoneyState, type MoneyStatus } from "../../ui/trade/progress/money-state.tsx";
import { type MarkName, TradeLine, tradeMarks } from "../../ui/trade/progress/trade-line.tsx";
import { FieldStates } from "./field-states.tsx";

const exampleLooks: ButtonLook[] = ["primary", "plain", "danger", "quiet"];
const exampleTones: NoticeTone[] = ["info", "good", "warn", "bad"];
const exampleMoneyStates: MoneyStatus[] = [
  "waiting",
  "held",
  "refunding",
  "released",
  "returned",
  "disputed",
];
const exampleToasts: ToastShown[] = [
  { kind: "success", key: "toast.loggedIn" },
  { kind: "error", key: "guards.authRequired" },
  { kind: "info", key: "errors.PASSWORD_CHANGE_REQUIRED" },
];

/** The components side by side, in the page's language and theme. Its texts are the product's own. */
export function Gallery() {
  const t = useT();
  return (
    <Page>
      <PageHead title={t("design.title")} lead={t("design.lead")}>
        <MidmanMark className="size-16 text-khadag" />
      </PageHead>
      <Card title={t("design.colours")}>
        <ColorSamples />
      </Card>
      <Card title={t("design.money")}>
        <div className="flex flex-wrap gap-2">
          {exampleMoneyStates.map((money) => (
            <MoneyState key={money} money={money} />
          ))}
        </div>
        {[0, 2, 3, 6].map((done) => (
          <TradeLine key={done} done={tradeMarks.slice(0, done) as MarkName[]} />
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
        {exampleTones.map((tone) => (
          <Notice key={tone} tone={tone} title={t("landing.reminders")}>
            <LinkedText text={t("landing.reminder.notice")} />
          </Notice>
        ))}
        {exampleToasts.map((toast) => (
          <Toast key={toast.kind} toast={toast} />
        ))}
      </Card>
      <Parts />
    </Page>
  );
}

const colorClasses = [
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

function ColorSamples() {
  return (
    <ul className="grid grid-cols-3 gap-3 sm:grid-cols-6">
      {colorClasses.map((colour) => (
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
          {exampleLooks.map((look) => (
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
        <Disclosure summary={t("landing.guide")} open>
          <Steps
            steps={(["agreed", "paid", "held"] as const).map((key) => ({
              key,
              body: t(`landing.marks.${key}`),
            }))}
          />
        </Disclosure>
        <Disclosure summary={t("trade.openDispute")} look="danger">
          {t("trade.disputeReason")}
        </Disclosure>
        <FactList
          rows={[
            { label: t("trade.amount"), value: t("design.sum") },
            { label: t("trade.gross"), value: t("design.sum"), strong: true },
          ]}
        />
        <CopyableValue label={t("chat.code")} value="K7M2QX9TBD" />
        <div className="flex items-center gap-3">
          <Avatar initials="БД" />
          <Avatar initials="БД" large />
        </div>
      </Card>
      <EmptyState icon={MessagesSquare} title={t("chat.empty")}>
        <ButtonLink to="#main" look="primary">
          {t("chat.createFirst")}
        </ButtonLink>
      </EmptyState>
    </>
  );
}
