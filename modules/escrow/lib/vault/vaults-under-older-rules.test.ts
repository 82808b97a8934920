import { afterEach, expect, test } from "bun:test";
import { config, configure } from "#config";
import { encryptionKey } from "#db/secrets";
import { useDatabase } from "../../../../tests/support/database.ts";
import { must, useMarket } from "../../../../tests/support/market.ts";
import { credentials, sealed } from "../../../../tests/support/vault.ts";
import { openVault } from "./open-vault.ts";
import { vaultsNotUnderToday } from "./vaults-under-older-rules.ts";

useDatabase();
useMarket();

const before = config();
afterEach(() => configure({ ...before, ENCRYPTION_KEY: undefined, ENCRYPTION_KEYS_BEFORE: undefined }));

test("a hand-over that an older key sealed is counted and opens while that key is known, and is told of as shut when it is not", async () => {
  const deal = await sealed();
  expect(await vaultsNotUnderToday()).toEqual({ older: 0, shut: [] });
  const older = encryptionKey().toString("hex");
  configure({ ENCRYPTION_KEY: "ab".repeat(32), ENCRYPTION_KEYS_BEFORE: older });
  expect(await vaultsNotUnderToday()).toEqual({ older: 1, shut: [] });
  const { login, password } = credentials;
  expect(await must(openVault(deal.buyer, deal.id))).toMatchObject({ values: { login, password } });
  configure({ ENCRYPTION_KEYS_BEFORE: undefined });
  expect(await vaultsNotUnderToday()).toEqual({ older: 0, shut: [deal.id] });
});
