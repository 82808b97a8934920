import { describeCall } from "#calls";

export const exportEvidence = describeCall({
  summary: "A dispute's evidence as a signed archive",
  group: "Disputes",
  by: "admin",
  file: "application/x-tar",
  refuses: ["TRANSACTION_NOT_FOUND", "OWN_TRADE"],
});

export const showEvidenceKey = describeCall({
  summary: "The key that proves the archive",
  group: "Disputes",
  by: "anybody",
  file: "application/x-pem-file",
});
