import { z } from "zod";
import type { Sent } from "#calls";
import type { OwnPasskey } from "./manage-passkeys.ts";

const moment = z.iso.datetime();

export const passkey = z
  .object({
    id: z.int(),
    name: z.string(),
    createdAt: moment,
    lastUsedAt: moment.nullable(),
    copied: z.boolean().describe("A copy of it was used: it opens nothing any more."),
  })
  .meta({ id: "Passkey" }) satisfies z.ZodType<Sent<OwnPasskey>>;

const credential = z.looseObject({ id: z.string(), type: z.literal("public-key") });

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptions = z.object({
  options: z
    .looseObject({
      challenge: z.string(),
      rpId: z.string(),
      timeout: z.int(),
      userVerification: z.literal("required"),
      allowCredentials: z.array(credential),
    })
    .meta({ id: "PasskeyRequestOptions" }),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptions = z.object({
  options: z
    .looseObject({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      timeout: z.int(),
      excludeCredentials: z.array(credential),
    })
    .meta({ id: "PasskeyCreationOptions" }),
});
