import { z } from "zod";
import { dateTimeSchema } from "#calls";

/** A passkey as its owner sees it. */
export const passkeySchema = z
  .object({
    id: z.int(),
    name: z.string(),
    createdAt: dateTimeSchema,
    lastUsedAt: dateTimeSchema.nullable(),
    copied: z.boolean().describe("Whether a copy of it was used. If so, it no longer works."),
  })
  .meta({ id: "Passkey" });
export type OwnPasskey = z.output<typeof passkeySchema>;

const credentialSchema = z.looseObject({ id: z.string(), type: z.literal("public-key") });

/** For `PublicKeyCredential.parseRequestOptionsFromJSON`. */
export const requestOptionsSchema = z.object({
  options: z
    .looseObject({
      challenge: z.string(),
      rpId: z.string(),
      timeout: z.int(),
      userVerification: z.literal("required"),
      allowCredentials: z.array(credentialSchema),
    })
    .meta({ id: "PasskeyRequestOptions" }),
});

/** For `PublicKeyCredential.parseCreationOptionsFromJSON`. */
export const creationOptionsSchema = z.object({
  options: z
    .looseObject({
      challenge: z.string(),
      rp: z.object({ id: z.string(), name: z.string() }),
      user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
      timeout: z.int(),
      excludeCredentials: z.array(credentialSchema),
    })
    .meta({ id: "PasskeyCreationOptions" }),
});
