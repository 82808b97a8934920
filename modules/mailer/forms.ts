import { z } from "zod";

// Messages are keys of the text catalogues (`validation.*`). The page that shows them translates them.

/** A browser's `PushSubscription.toJSON()`: its endpoint, its public key (65 bytes) and its secret (16 bytes). */
export const pushSubscriptionInput = z.object({
  endpoint: z.url("validation.invalid").max(1000, "validation.tooLong"),
  keys: z.object({
    // An uncompressed point of P-256 begins with the byte 4, so the text begins with B.
    p256dh: z.string().regex(/^B[\w-]{86}$/, "validation.invalid"),
    auth: z.string().regex(/^[\w-]{22}$/, "validation.invalid"),
  }),
});
export type PushSubscriptionInput = z.output<typeof pushSubscriptionInput>;

export {
  type CustomizableTemplate,
  type Customizations,
  colorPresets,
  customizableNames,
  customizationsOf,
  defaultCustomizations,
  isCustomizable,
  layoutNames,
  strictCustomizationsOf,
} from "./lib/look/customizations.ts";

/** The recipient of a test mail. */
export const testMailInput = z.object({
  testEmail: z
    .string("validation.testEmail")
    .trim()
    .min(1, { message: "validation.testEmail", abort: true })
    .pipe(z.email("validation.email").max(254, "validation.tooLong")),
});
