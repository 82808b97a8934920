import { describeCall, type Unrefused } from "#calls";
import type { bundleEvidence } from "./bundle.ts";

export const exportEvidence = describeCall<typeof bundleEvidence>({
  summary: "Download a dispute's evidence as a signed archive",
  group: "Disputes",
  by: "admin",
  file: "application/x-tar",
  refuses: { TRANSACTION_NOT_FOUND: true, OWN_TRADE: true },
});

export const showEvidenceKey = describeCall<Unrefused>({
  summary: "Get the public key that verifies an evidence archive",
  group: "Disputes",
  by: "anybody",
  file: "application/x-pem-file",
});
