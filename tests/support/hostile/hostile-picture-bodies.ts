import { type HostileBody, multipartBody } from "./hostile-bodies.ts";

const smallPart = '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n';

/** What the one call might be sent that takes more than a megabyte. */
export const hostilePicture: Record<string, HostileBody> = {
  "200,000 parts": multipartBody(Array.from({ length: 200_000 }, () => smallPart)),
  "30,000 deep": { type: "application/json", body: `${"[".repeat(30_000)}${"]".repeat(30_000)}` },
  "30,000 values": { type: "application/json", body: `{"x":[${"1,".repeat(30_000)}1],"imageData":"data:,"}` },
};
