/** The payment's description, if it says more than the room's name; null otherwise. */
export function extraDescription(room: string | null, description: string | null): string | null {
  const said = description?.trim() ?? "";
  return said === "" || said === room?.trim() ? null : said;
}

/** What a trade is about, as its parties know it: the room's name, with the payment's description if that says more. */
export function tradedItem(room: string, description: string | null): string {
  const extra = extraDescription(room, description);
  return extra === null ? room : `${room} · ${extra}`;
}
