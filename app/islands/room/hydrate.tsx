import { hydrateRoot } from "react-dom/client";
import { markUpdatesOff } from "../../enhance/browser/updates-off-line.ts";
import { draftOf } from "./composer/message-draft.ts";
import { Conversation } from "./conversation.tsx";
import { leaveViewerEntry } from "./pictures/viewer/open-viewer.ts";
import { isRoomProps, parseJson } from "./wire-data.ts";

/**
 * Hydrates the server's HTML of the conversation with the props it was rendered from. Without valid props the page keeps working as it
 * does without a script. If the conversation fails while it is drawn, React empties its place: the server's HTML comes back, with what was
 * being written, and a line says that live updates are off.
 */
export function hydrateRoom(element: HTMLElement): void {
  const props = parseJson(element.dataset.props ?? "", isRoomProps);
  if (props === undefined) {
    markUpdatesOff(true);
    return;
  }
  leaveViewerEntry();
  const serverHtml = element.innerHTML;
  hydrateRoot(element, <Conversation {...props} />, {
    identifierPrefix: "room-",
    onUncaughtError(error) {
      reportError(error);
      element.innerHTML = serverHtml;
      const field = element.querySelector("textarea");
      if (field !== null) field.value = draftOf(props.me, props.roomId).read() || field.value;
      markUpdatesOff(true);
    },
  });
}
