/** Memory that concurrent uploads may hold on this instance, in announced bytes. */
const maxHeldBytes = 96 * 1024 * 1024;
const maxUploadsPerUser = 3;
/** Few people could hold all the memory with large uploads; pictures that Midman's page has shrunk are small. */
const largeBytes = 1024 * 1024;
const maxLargeUploadsPerUser = 2;

let heldBytes = 0;
const uploadsByUser = new Map<number, number[]>();

/** Too many uploads at a time, of this member or of all. */
export type UploadRefusal = { ok: false; code: "THROTTLED" | "IMAGES_BUSY"; retryAfterSeconds: number };

/**
 * Reserves memory for an upload of `bytes` before it is read; `leave` releases it. Refuses THROTTLED for a member with three uploads in
 * progress, or with two large ones and one more that is large, and IMAGES_BUSY if no memory is left.
 */
export function reserveUpload(
  userId: number,
  bytes: number,
): { ok: true; leave: () => void } | UploadRefusal {
  const own = uploadsByUser.get(userId) ?? [];
  const large = own.filter(isLarge).length;
  if (own.length >= maxUploadsPerUser || (isLarge(bytes) && large >= maxLargeUploadsPerUser)) {
    return { ok: false, code: "THROTTLED", retryAfterSeconds: 3 };
  }
  if (heldBytes + bytes > maxHeldBytes) return { ok: false, code: "IMAGES_BUSY", retryAfterSeconds: 10 };
  heldBytes += bytes;
  uploadsByUser.set(userId, [...own, bytes]);
  const leave = () => {
    heldBytes -= bytes;
    const left = [...(uploadsByUser.get(userId) ?? [])];
    left.splice(left.indexOf(bytes), 1);
    if (left.length > 0) uploadsByUser.set(userId, left);
    else uploadsByUser.delete(userId);
  };
  return { ok: true, leave };
}

function isLarge(bytes: number): boolean {
  return bytes > largeBytes;
}
