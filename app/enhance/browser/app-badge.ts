/** The part of `navigator` that marks the icon of an installed app; absent in many browsers. */
type AppBadge = { setAppBadge?(count: number): Promise<void>; clearAppBadge?(): Promise<void> };

/**
 * Marks the installed app's icon with the unread messages of all rooms: those of the room that is open (`here`) and of the others
 * (`elsewhere`). Two separately bundled scripts know one number each, so both are stored in the
 * document's `dataset`.
 */
export function markAppIcon(counts: { here?: number; elsewhere?: number }): void {
  const known = document.documentElement.dataset;
  if (counts.here !== undefined) known.unreadHere = String(counts.here);
  if (counts.elsewhere !== undefined) known.unreadElsewhere = String(counts.elsewhere);
  const count = Number(known.unreadHere ?? 0) + Number(known.unreadElsewhere ?? 0);
  const badge = navigator as unknown as AppBadge;
  const marked = count > 0 ? badge.setAppBadge?.(count) : badge.clearAppBadge?.();
  // Not allowed in a page that is not installed.
  marked?.catch(() => {});
}
