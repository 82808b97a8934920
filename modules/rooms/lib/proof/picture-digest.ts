import { createHash } from "node:crypto";

type StoredPicture = { id: string; mime: string; bytes: number; sha256: string; sentSha256: string };

/** What stands for a picture in the log: the digest that `rooms.picture_fields` gives of its row, under its message's salt. */
export function pictureDigest(salt: Buffer, { id, mime, bytes, sha256, sentSha256 }: StoredPicture): string {
  const fields = ["midman-picture-1", salt.toString("hex"), id, mime, String(bytes), sha256, sentSha256];
  return createHash("sha256").update(JSON.stringify(fields)).digest("hex");
}
