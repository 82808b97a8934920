import { expect, test } from "bun:test";
import { saveFilter } from "#modules/identity";
import { useDatabase } from "../../../../tests/support/database/test-database.ts";
import { plantUser } from "../../../../tests/support/trades/planted-trades.ts";
import { registerEscrow } from "./start.ts";

useDatabase();

test("once escrow is registered, administrators can save filters of the transactions page", async () => {
  const withdraw = registerEscrow();
  try {
    const admin = await plantUser({ isAdmin: true });
    const query = "q=MM-1&status=disputed&money=nonsense&before=17&next=//elsewhere.example";
    expect(await saveFilter(admin, "transactions", { name: "Late", query })).toEqual({
      ok: true,
      query: "q=MM-1&status=disputed",
    });
  } finally {
    withdraw();
  }
});
