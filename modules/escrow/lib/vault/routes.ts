import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { replySuccess } from "../core/route-replies.ts";
import { readTrade } from "../trade/view/trade-view.ts";
import { checkVault } from "./check-vault.ts";
import { openVault } from "./open-vault.ts";
import * as calls from "./operations.ts";
import { sealVault } from "./seal-vault.ts";

const vaultPath = "/api/transactions/:id/vault";
const params = forms.pathId;

/** Routes of the handover vault. Its contents leave only in the response to the buyer's POST, which nothing caches. */
export const vaultRoutes = new Elysia({ name: "escrow.vaulting" })
  .use(withActor)
  .post(
    vaultPath,
    async ({ actor, params: { id }, body }) => {
      const answer = await sealVault(actor, id, body);
      return answer.ok ? withVault(actor, id, replySuccess(actor, "vaultSealed")) : answer;
    },
    { params, body: forms.sealVaultSchema, detail: calls.sealVault },
  )
  .post(
    `${vaultPath}/open`,
    async ({ actor, params: { id }, set }) => {
      const answer = await openVault(actor, id);
      if (!answer.ok) return answer;
      set.headers["cache-control"] = "no-store";
      return withVault(actor, id, { ...replySuccess(actor, "vaultOpened"), values: answer.values });
    },
    { params, parse: "none", detail: calls.openVault },
  )
  .post(
    `${vaultPath}/check`,
    async ({ actor, params: { id }, body }) => {
      const answer = await checkVault(actor, id, body);
      return answer.ok ? withVault(actor, id, replySuccess(actor, "vaultChecked")) : answer;
    },
    { params, body: forms.checkVaultSchema, detail: calls.checkVault },
  );

/** Adds the current state of the vault to a reply. */
async function withVault<T extends object>(actor: Actor, id: number, said: T) {
  const seen = await readTrade(actor, id);
  return seen.ok ? { ...said, vault: seen.trade.vault } : said;
}
