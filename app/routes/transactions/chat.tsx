import { formatDay } from "#format";
import { sendMessageInput } from "#forms/rooms";
import { findAskingSeqs } from "../../islands/room/messages/asking-notices.ts";
import { messageLinesOf } from "../../islands/room/messages/message-lines.ts";
import { MessagePart } from "../../islands/room/messages/message-part.tsx";
import { TrustOnlyNotices } from "../../islands/room/messages/room-notice.tsx";
import { Button, TextLink } from "../../ui/forms/button.tsx";
import { FormErrors, TextField } from "../../ui/forms/field.tsx";
import { PersonForm } from "../../ui/forms/person-form.tsx";
import { type PostedForm, usePostedForm } from "../../ui/forms/posted-form.ts";
import { useT } from "../../ui/frame/i18n.tsx";
import { Card } from "../../ui/layout/card.tsx";
import type { ChatShown } from "./types.ts";

/** The room's conversation on the trade's page: to read, and to write in while the room exists. */
export function Chat({ chat, posted }: { chat: ChatShown; posted: PostedForm | null }) {
  const t = useT();
  const { seats, me, roomId, code, handOver, askingCodes, strings, readSeq, olderHref } = chat;
  const parts = messageLinesOf(chat.messages, undefined);
  return (
    <Card title={t("room.conversation")} className="min-w-0">
      <TrustOnlyNotices strings={strings} />
      <div
        // The list scrolls inside itself, so a keyboard must be able to reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region needs a stop for the keyboard
        tabIndex={0}
        role="log"
        aria-label={t("room.messages")}
        // Laid out from its end, which is shown first.
        className="flex max-h-[500px] flex-col-reverse overflow-y-auto"
      >
        <div>
          {olderHref && (
            <p className="text-center">
              <TextLink to={olderHref}>{t("room.older")}</TextLink>
            </p>
          )}
          {parts.length === 0 && <p className="text-quiet">{t("room.empty")}</p>}
          {parts.map((lines) => (
            <MessagePart
              key={lines[0]?.message.seq}
              {...{ lines, seats, me, roomId, code, handOver, strings, readSeq }}
              askingSeqs={findAskingSeqs(chat.messages, askingCodes)}
              today={formatDay(chat.today)}
            />
          ))}
        </div>
      </div>
      {chat.open ? (
        <Composer clientId={chat.clientId} posted={posted} />
      ) : (
        <p className="text-quiet">{t("transaction.roomGone")}</p>
      )}
    </Card>
  );
}

function Composer({ clientId, posted }: { clientId: string; posted: PostedForm | null }) {
  const t = useT();
  const [form, fields] = usePostedForm("message", sendMessageInput, posted);
  return (
    <PersonForm className="grid gap-3" noValidate>
      <input type="hidden" name="form" value="message" />
      <input type="hidden" name="clientId" value={clientId} />
      <FormErrors id={form.errorId} errors={form.errors} />
      <TextField label={t("room.placeholder")} field={fields.content} rows={2} maxLength={4000} />
      <Button className="justify-self-end">{t("room.send")}</Button>
    </PersonForm>
  );
}
