import type { AllowedSteps } from "../types.ts";

/** The vault as both parties see it: times, never its contents. */
export interface Vault {
  state: "none" | "sealed" | "opened" | "destroyed";
  sealedAt: string | null;
  openedAt: string | null;
  openedCount: number;
  checked: { password: boolean; secondFactor: boolean; recovery: boolean };
  /** Until when the buyer should have completed the checklist; null while no clock runs. */
  checkBy: string | null;
  overdue: boolean;
  destroyedAt: string | null;
  earlier: Array<{ sealedAt: string; openedAt: string | null }>;
}

/** The contents, for the buyer who opens the vault. */
export type OpenedVaultValues = Partial<Record<VaultValueName, string | undefined>>;
export type VaultValueName = "login" | "password" | "email" | "emailPassword" | "recoveryNotes" | "notes";

/** Props of the vault's page. */
export interface VaultProps {
  role: "buyer" | "seller";
  /** The payment is confirmed, or was at some time. */
  paid: boolean;
  /** The trade has ended. */
  over: boolean;
  /** Midman is checking the payment. */
  checking: boolean;
  vault: Vault;
  can: Pick<AllowedSteps, "seal" | "openVault" | "checkVault">;
  serverNow: string;
  /** Id of this rendering of the form, so that pressing twice seals once. */
  clientId: string;
  /** The room's address. */
  room: string;
}
