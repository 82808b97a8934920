import { Elysia } from "elysia";
import { type Actor, withActor } from "#modules/identity";
import * as forms from "../../forms.ts";
import { done } from "../core/route-words.ts";
import { trade } from "../trade/view/trade-view.ts";
import { checkVault } from "./check-vault.ts";
import { openVault } from "./open-vault.ts";
import * as calls from "./operations.ts";
import { sealVault } from "./seal-vault.ts";

const at = "/api/transactions/:id/vault";
const params = forms.pathId;

/** The hand-over vault. What is sealed leaves in the answer to the buyer's POST alone, which nothing keeps. */
export const vaulting = new Elysia({ name: "escrow.vaulting" })
  .use(withActor)
  .post(
    at,
    async ({ actor, params: { id }, body }) => {
      const answer = await sealVault(actor, id, body);
      return answer.ok ? withVault(actor, id, done(actor, "vaultSealed")) : answer;
    },
    { params, body: forms.vault, detail: calls.seal },
  )
  .post(
    `${at}/open`,
    async ({ actor, params: { id }, set }) => {
      const answer = await openVault(actor, id);
      if (!answer.ok) return answer;
      set.headers["cache-control"] = "no-store";
      return withVault(actor, id, { ...done(actor, "vaultOpened"), values: answer.values });
    },
    { params, parse: "none", detail: calls.openVault },
  )
  .post(
    `${at}/check`,
    async ({ actor, params: { id }, body }) => {
      const answer = await checkVault(actor, id, body);
      return answer.ok ? withVault(actor, id, done(actor, "vaultChecked")) : answer;
    },
    { params, body: forms.vaultCheck, detail: calls.checkVault },
  );

/** With how the vault stands now. */
async function withVault<T extends object>(actor: Actor, id: number, said: T) {
  const seen = await trade(actor, id);
  return seen.ok ? { ...said, vault: seen.trade.vault } : said;
}
