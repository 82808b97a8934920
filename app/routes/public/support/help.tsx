import { useT } from "../../../ui/frame/i18n.tsx";
import { Card } from "../../../ui/layout/card.tsx";
import { LinkedText } from "../../../ui/layout/linked-text.tsx";
import { Steps } from "../../../ui/layout/steps.tsx";

/** What to try when a payment does not arrive; `stuck` is how long to wait before contacting support. */
export function PaymentHelp({ stuck }: { stuck: string }) {
  const t = useT();
  return (
    <Card title={t("support.payment.title")} id="payment">
      <Steps
        steps={[
          { key: "bank", body: t("support.payment.bank") },
          { key: "verify", body: t("support.payment.verify", { button: t("trade.verify") }) },
          {
            key: "once",
            body: (
              <p>
                <LinkedText text={t("support.payment.once")} />
              </p>
            ),
          },
          { key: "write", body: t("support.payment.write", { time: stuck }) },
        ]}
      />
      <ToForm topic="payment" />
    </Card>
  );
}

/** What to try when the chat does not work. */
export function ChatHelp() {
  const t = useT();
  return (
    <Card title={t("support.chat.title")} id="chat">
      <Steps
        steps={[
          { key: "reload", body: t("support.chat.reload") },
          { key: "connection", body: t("support.chat.connection", { state: t("room.reconnecting") }) },
          { key: "invite", body: t("support.chat.invite") },
          { key: "write", body: t("support.chat.write") },
        ]}
      />
      <ToForm topic="room" />
    </Card>
  );
}

function ToForm({ topic }: { topic: string }) {
  const t = useT();
  return (
    <a
      href={`?topic=${topic}#write`}
      className="inline-flex min-h-11 items-center justify-self-start font-semibold text-brand underline underline-offset-4"
    >
      {t("support.toForm")}
    </a>
  );
}
