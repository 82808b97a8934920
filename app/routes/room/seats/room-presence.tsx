interface RoomPresenceProps {
  roomId: number;
  me: number;
  script: string;
}

/** On a page of a room other than the conversation: its reader is present in the room while the page is open. */
export function RoomPresence({ roomId, me, script }: RoomPresenceProps) {
  return (
    <>
      <span hidden data-present-in={roomId} data-me={me} />
      <script type="module" src={script} />
    </>
  );
}
