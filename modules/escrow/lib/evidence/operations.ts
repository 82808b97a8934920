import { describeCall } from "#calls";

export const exportEvidence = describeCall({
  summary: "Export a dispute's evidence as a signed archive",
  group: "Disputes",
  by: "admin",
  file: "application/x-tar",
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE"],
});

export const showEvidenceKey = describeCall({
  summary: "Get the public key that verifies an evidence archive",
  group: "Disputes",
  by: "anybody",
  file: "application/x-pem-file",
});
