/** Which modules each module may import (docs/decisions/0001). */
export const mayImport: Record<string, string[]> = {
  audit: [],
  mailer: ["audit"],
  identity: ["mailer", "audit"],
  rooms: ["identity", "mailer", "audit"],
  payments: ["audit"],
  escrow: ["rooms", "payments", "identity", "mailer", "audit"],
};
