import { afterEach, expect, test } from "bun:test";
import { config, overrideConfig } from "#config";
import { encryptionKey } from "#db/secrets/instance-secrets";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { expectAccepted, useSandboxProvider } from "../../../../tests/support/trades/sandbox-trades.ts";
import { createSealedTrade, vaultCredentials } from "../../../../tests/support/trades/vault-trades.ts";
import { countOlderVaultKeys } from "./older-vault-keys.ts";
import { openVault } from "./open-vault.ts";

useDatabase();
useSandboxProvider();

const before = config();
afterEach(() => overrideConfig({ ...before, ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_BEFORE: undefined }));

test("a vault record sealed by an older key is counted and opens while that key is known, and is reported when it is not", async () => {
  const deal = await createSealedTrade();
  expect(await countOlderVaultKeys()).toEqual({ older: 0, unopened: [] });
  const older = encryptionKey().toString("hex");
  overrideConfig({ ENCRYPTION_KEY: "ab".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  expect(await countOlderVaultKeys()).toEqual({ older: 1, unopened: [] });
  const { login, password } = vaultCredentials;
  expect(await expectAccepted(openVault(deal.buyer, deal.id))).toMatchObject({ values: { login, password } });
  overrideConfig({ ENCRYPTION_KEYS_BEFORE: undefined });
  expect(await countOlderVaultKeys()).toEqual({ older: 0, unopened: [deal.id] });
});
