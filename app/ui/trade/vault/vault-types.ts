import type { TradeView, VaultView } from "#views/escrow";

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
  /** Why the buyer cannot open the vault for the first time: they ask to cancel, or a dispute is open. */
  closedBy: "request" | "dispute" | null;
  vault: VaultView;
  can: Pick<TradeView["can"], "seal" | "openVault" | "checkVault">;
  serverNow: string;
  /** Id of this rendering of the form, so that pressing twice seals once. */
  clientId: string;
  /** The room's address. */
  room: string;
}
