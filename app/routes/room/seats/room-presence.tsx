interface RoomPresenceProps {
  roomId: number;
  me: number;
  script: string;
  /** Keeps the page up to date: its parts are fetched again when the trade changes. */
  live?: boolean;
}

/** On a page of a room other than the conversation: its reader is present in the room while the page is open. */
export function RoomPresence({ roomId, me, script, live = false }: RoomPresenceProps) {
  return (
    <>
      <span hidden data-present-in={roomId} data-me={me} data-live={live ? "" : undefined} />
      <script type="module" src={script} />
    </>
  );
}
