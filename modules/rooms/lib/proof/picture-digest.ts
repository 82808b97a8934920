import { createHash } from "node:crypto";

type StoredPicture = { id: string; mime: string; bytes: number; sha256: string; sentSha256: string };

/**
 * The digest that represents a picture in the log: that of the fields `rooms.picture_fields` returns for its row, with its message's salt.
 */
export function pictureDigest(salt: Buffer, { id, mime, bytes, sha256, sentSha256 }: StoredPicture): string {
  const fields = ["midman-picture-1", salt.toString("hex"), id, mime, String(bytes), sha256, sentSha256];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
