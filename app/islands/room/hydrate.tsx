import { hydrateRoot } from "react-dom/client";
import { Conversation } from "./conversation.tsx";
import { leaveViewerEntry } from "./pictures/viewer/open-viewer.ts";
import { isRoomProps, parseJson } from "./wire-data.ts";

/**
 * Hydrates the server's HTML of the conversation with the props it was rendered from. Without valid props the page keeps working as it
 * does without a script.
 */
export function hydrateRoom(element: HTMLElement): void {
  const props = parseJson(element.dataset.props ?? "", isRoomProps);
  if (props === undefined) return;
  leaveViewerEntry();
  hydrateRoot(element, <Conversation {...props} />, { identifierPrefix: "room-" });
}
