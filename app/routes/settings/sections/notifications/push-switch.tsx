import type { ReactNode } from "react";
import { Button } from "../../../../ui/forms/button.tsx";
import { useT } from "../../../../ui/frame/i18n.tsx";
import { Notice, type NoticeTone } from "../../../../ui/layout/notice.tsx";

/**
 * Notifications on this device. The server does not know whether the browser supports and permits them: without script the text says that
 * one is needed, and `enhance/push.ts` shows the actual state. The browser asks for permission only after a press.
 */
export function PushSwitch({ pushKey, on }: { pushKey: string; on: boolean }) {
  const t = useT();
  return (
    <div
      data-push={pushKey}
      data-push-on={on ? "" : undefined}
      aria-live="polite"
      className="grid min-h-11 gap-3"
    >
      <noscript>
        <Notice tone="info">
          <p>{t("settings.push.script")}</p>
        </Notice>
      </noscript>
      <PushState name="unsupported" tone="info" text={t("settings.push.unsupported")} />
      <PushState name="denied" tone="warn" text={t("settings.push.denied")} />
      <PushState name="failed" tone="bad" text={t("settings.push.failed")}>
        <TurnOnButton text={t("settings.push.again")} />
      </PushState>
      <PushState name="on" tone="good" text={t("settings.push.isOn")} />
      <div data-push-state="off" hidden>
        <TurnOnButton text={t("settings.push.turnOn")} />
      </div>
    </div>
  );
}

function PushState(props: { name: string; tone: NoticeTone; text: string; children?: ReactNode }) {
  return (
    <div data-push-state={props.name} hidden className="grid gap-3 [[hidden]]:hidden">
      <Notice tone={props.tone}>
        <p>{props.text}</p>
      </Notice>
      {props.children}
    </div>
  );
}

function TurnOnButton({ text }: { text: string }) {
  return (
    <Button type="button" data-push-press="" className="justify-self-start">
      {text}
    </Button>
  );
}
