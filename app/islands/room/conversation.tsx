import { useEffect } from "react";
import { Composer } from "./composer/composer.tsx";
import { ConnectionStatus } from "./connection/connection-status.tsx";
import { Messages } from "./messages/messages.tsx";
import { OnlyNotices } from "./messages/room-notice.tsx";
import { PicturePicker } from "./pictures/picture-picker.tsx";
import { markPresence } from "./presence/presence-marks.ts";
import type { RoomProps } from "./types.ts";
import { useRoom } from "./use-room.ts";

/**
 * Messages and composer, as high as the box that the page gives them. Every part is a plain form or link first, so the room works before
 * any script. Presence is shown at the seats, which the page renders.
 */
export function Conversation(props: RoomProps) {
  const room = useRoom(props);
  const { strings } = props;
  const { live, presence, seats, suspension } = room;
  const isClosed = suspension !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: new seats bring new marks
  useEffect(() => {
    if (live) markPresence(presence, strings.presence);
  }, [live, presence, seats, strings]);
  return (
    <section
      aria-label={strings.conversation}
      className="relative flex min-h-0 grow flex-col gap-1 rounded-card border border-line bg-card p-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] sm:gap-2 sm:p-3"
    >
      <OnlyNotices strings={strings} />
      <Messages {...props} room={room} />
      <ConnectionStatus {...props} room={room} />
      {suspension !== undefined && (
        <div
          role="alert"
          // Beside the cards the height is limited to the window, so the text scrolls inside itself.
          className="grid gap-3 lg:min-h-0 lg:overflow-y-auto"
          // biome-ignore lint/security/noDangerouslySetInnerHtml: markup that the server rendered for /suspended
          dangerouslySetInnerHTML={{ __html: suspension }}
        />
      )}
      <div className="flex items-end gap-1">
        <PicturePicker {...props} send={room.send} isClosed={isClosed} />
        <div className="min-w-0 grow">
          <Composer {...props} send={room.send} onTyping={room.onTyping} isClosed={isClosed} />
        </div>
      </div>
    </section>
  );
}
