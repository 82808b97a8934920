import type { AllowedSteps } from "../types.ts";

/** The hand-over vault as both sides see it: moments, never what is sealed. */
export interface Vault {
  state: "none" | "sealed" | "opened" | "destroyed";
  sealedAt: string | null;
  openedAt: string | null;
  openedCount: number;
  checked: { password: boolean; secondFactor: boolean; recovery: boolean };
  /** Until when the buyer should have done all of the checklist; null while no clock runs. */
  checkBy: string | null;
  overdue: boolean;
  destroyedAt: string | null;
  earlier: Array<{ sealedAt: string; openedAt: string | null }>;
}

/** What was sealed, for the buyer who opens it. */
export type OpenedVaultValues = Partial<Record<VaultValueName, string | undefined>>;
export type VaultValueName = "login" | "password" | "email" | "emailPassword" | "recoveryNotes" | "notes";

/** What the vault's page is given. */
export interface VaultProps {
  role: "buyer" | "seller";
  /** The payment is confirmed, or was. */
  paid: boolean;
  /** The trade has ended. */
  over: boolean;
  /** Midman is checking the payment. */
  checking: boolean;
  vault: Vault;
  can: Pick<AllowedSteps, "seal" | "openVault" | "checkVault">;
  serverNow: string;
  /** Of this showing of the form, so that pressing twice seals once. */
  clientId: string;
  /** The room's address. */
  room: string;
}
