/** What a trade is about, as its parties know it: the room's name, with the payment's description if that says more. */
export function tradedItem(room: string, description: string | null): string {
  const said = description?.trim() ?? "";
  return said === "" || said === room.trim() ? room : `${room} · ${said}`;
}
