import { hydrateRoot } from "react-dom/client";
import { Conversation } from "./conversation.tsx";
import type { RoomProps } from "./types.ts";

/** Hydrates the server's HTML of the conversation with the props it was rendered from. */
export function hydrateRoom(element: HTMLElement): void {
  const props = JSON.parse(element.dataset.props ?? "{}") as RoomProps;
  hydrateRoot(element, <Conversation {...props} />, { identifierPrefix: "room-" });
}
