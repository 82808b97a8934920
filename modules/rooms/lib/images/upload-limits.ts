/** What uploads under way may hold in memory together on this instance, in bytes as they were announced. */
const maxHeldBytes = 96 * 1024 * 1024;
const maxUploadsPerUser = 3;

let heldBytes = 0;
const uploadsByUser = new Map<number, number>();

/**
 * A place for an upload of so many bytes, taken before they are read: `leave` gives it back. Refuses THROTTLED to a
 * member with three under way, and IMAGES_BUSY when there is no room left.
 */
export function reserveUpload(userId: number, bytes: number) {
  const own = uploadsByUser.get(userId) ?? 0;
  if (own >= maxUploadsPerUser) return { ok: false, code: "THROTTLED", retryAfterSeconds: 3 } as const;
  if (heldBytes + bytes > maxHeldBytes)
    return { ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 } as const;
  heldBytes += bytes;
  uploadsByUser.set(userId, own + 1);
  const leave = () => {
    heldBytes -= bytes;
    const left = (uploadsByUser.get(userId) ?? 1) - 1;
    if (left > 0) uploadsByUser.set(userId, left);
    else uploadsByUser.delete(userId);
  };
  return { ok: true, leave } as const;
}
