import { Elysia } from "elysia";
import { withActor } from "#modules/identity";
import { pathId as params } from "../../forms.ts";
import { bundleEvidence } from "./bundle.ts";
import * as calls from "./operations.ts";
import { evidencePublicKey } from "./signing-key.ts";

/** Routes of the archive, for administrators, and of the public key that verifies it, for anyone. */
export const evidenceRoutes = new Elysia({ name: "escrow.evidencing" })
  .use(withActor)
  .post(
    "/api/admin/transactions/:id/evidence",
    async ({ actor, params: { id } }) => {
      const made = await bundleEvidence(actor, id);
      return made.ok ? evidenceFile(made) : made;
    },
    { params, parse: "none", detail: calls.exportEvidence },
  )
  .get(
    "/api/evidence-key",
    async () => {
      const key = await evidencePublicKey();
      return new Response(key, {
        headers: { "Content-Type": "application/x-pem-file", "Cache-Control": "public, max-age=3600" },
      });
    },
    { detail: calls.showEvidenceKey },
  );

function evidenceFile({ name, bytes }: { name: string; bytes: Uint8Array<ArrayBuffer> }): Response {
  return new Response(bytes, {
    headers: {
      "Content-Type": "application/x-tar",
      "Content-Disposition": `attachment; filename="${name}"`,
      "Cache-Control": "no-store",
    },
  });
}
