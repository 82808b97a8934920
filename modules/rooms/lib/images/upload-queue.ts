/** What uploads under way may hold in memory together on this instance, in bytes as they were announced. */
const roomForAll = 96 * 1024 * 1024;
const mostOfOne = 3;

let held = 0;
const of = new Map<number, number>();

/**
 * A place for an upload of so many bytes, taken before they are read: `leave` gives it back. Refuses THROTTLED to a
 * member with three under way, and IMAGES_BUSY when there is no room left.
 */
export function takePlace(userId: number, bytes: number) {
  const own = of.get(userId) ?? 0;
  if (own >= mostOfOne) return { ok: false, code: "THROTTLED", retryAfterSeconds: 3 } as const;
  if (held + bytes > roomForAll) return { ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 } as const;
  held += bytes;
  of.set(userId, own + 1);
  const leave = () => {
    held -= bytes;
    const left = (of.get(userId) ?? 1) - 1;
    if (left > 0) of.set(userId, left);
    else of.delete(userId);
  };
  return { ok: true, leave } as const;
}
