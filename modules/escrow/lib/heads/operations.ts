import { z } from "zod";
import { describeCall } from "#calls";
import type { SignedHead } from "#modules/audit";
import type { findSignedHead } from "./find-signed-head.ts";

const signedHeadSchema = z
  .object({
    block: z.int().describe("Number of blocks in the chain."),
    head: z.string().describe("SHA-256 of the last block, which covers all blocks before it."),
    sealedAt: z.iso.datetime(),
    statement: z.string().describe("The signed line: `midman-head-1 <block>:<head> <sealedAt>`."),
    signature: z.string().describe("Ed25519 over the statement, in base64."),
    publicKey: z
      .string()
      .describe("The public key that verifies it, as PEM; the same as `/api/evidence-key`."),
  })
  .meta({ id: "SignedHead" }) satisfies z.ZodType<SignedHead>;

export const showSignedHead = describeCall<typeof findSignedHead>({
  summary: "Get the signed head of the log",
  group: "Back office: log",
  by: "anybody",
  answers: signedHeadSchema,
  refuses: { NOT_FOUND: true },
});
