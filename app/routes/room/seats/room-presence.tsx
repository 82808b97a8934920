/** Says to the page's script in which room its reader is present while the page is open (`startRoomPresence`). */
export function RoomPresence({ roomId, me }: { roomId: number; me: number }) {
  return <span hidden data-present-in={roomId} data-me={me} />;
}
