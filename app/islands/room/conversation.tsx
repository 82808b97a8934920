import { useEffect, useState } from "react";
import { Composer } from "./composer/composer.tsx";
import { ConnectionStatus } from "./connection/connection-status.tsx";
import { Messages } from "./messages/messages.tsx";
import { useUnreadCount } from "./messages/use-unread-count.ts";
import { PicturePicker } from "./pictures/picture-picker.tsx";
import { markPresence } from "./presence/presence-marks.ts";
import type { Quote, RoomProps } from "./types.ts";
import { useRoom } from "./use-room.ts";

/**
 * Messages and composer, as high as the box that the page gives them. Every part is a plain form or link first, so the room works before
 * any script. Presence and typing are shown in the bar and at the seats, which the page renders.
 */
export function Conversation(props: RoomProps) {
  const room = useRoom(props);
  const { strings } = props;
  const { live, presence, seats, suspension, typing } = room;
  const { role = "buyer" } = seats.find(({ id }) => id === props.me) ?? {};
  useUnreadCount(room.messages, { id: props.me, role }, room.read[props.me] ?? 0);
  const isClosed = suspension !== undefined;
  const [reply, setReply] = useState(props.reply);
  const replyTo = (quote: Quote | null) => {
    setReply(quote);
    // The address asks for this reply only until it is chosen, cancelled or sent. No step is added to Back.
    if (new URLSearchParams(location.search).has("reply")) history.replaceState(null, "", location.pathname);
  };
  const [clockOffset] = useState(() => Date.parse(props.now) - Date.now());
  // biome-ignore lint/correctness/useExhaustiveDependencies: new seats bring new marks
  useEffect(() => {
    // The server reports the reader's own presence last: until then it has not reported everybody's.
    if (live && presence[props.me] !== undefined) {
      markPresence(presence, typing, strings, new Date(Date.now() + clockOffset).toISOString());
    }
  }, [live, presence, typing, seats, strings]);
  const writing = { ...props, reply, setReply: replyTo, seats, send: room.send, isClosed };
  return (
    <section aria-label={strings.conversation} className="relative flex min-h-0 grow flex-col">
      <Messages {...props} room={room} reply={replyTo} />
      <ConnectionStatus {...props} room={room} />
      {suspension !== undefined && (
        <div
          role="alert"
          // The height is limited to the window, so the text scrolls inside itself.
          className="grid min-h-0 gap-3 overflow-y-auto p-3"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that the server rendered for /suspended
          dangerouslySetInnerHTML={{ __html: suspension }}
        />
      )}
      <div className="flex items-end gap-1 border-t border-line bg-card p-1.5 pb-[max(0.375rem,env(safe-area-inset-bottom))] lg:px-4">
        <PicturePicker {...writing} />
        <div className="min-w-0 grow">
          <Composer {...writing} onTyping={room.onTyping} />
        </div>
      </div>
    </section>
  );
}
