import type { z } from "zod";
import { vaultCheckHours } from "../../forms.ts";
import type { vaultViewSchema } from "../core/responses.ts";
import { allChecked } from "./rules.ts";
import type { VaultRecord } from "./vault-records.ts";

export type VaultView = z.output<typeof vaultViewSchema>;

const formatIso = (at: Date | null | undefined) => at?.toISOString() ?? null;

/** The end of the hour after an opening. */
export function checkDue(openedAt: Date): Date {
  return new Date(openedAt.getTime() + vaultCheckHours * 3_600_000);
}

/** What may be shown of a trade's records. */
export function vaultView(records: readonly VaultRecord[], at: Date): VaultView {
  const last = records.at(-1);
  const waits = last?.openedAt != null && last.destroyedAt === null && !allChecked(last);
  const due = waits && last.openedAt !== null ? checkDue(last.openedAt) : null;
  return {
    state: stateOf(last),
    revision: vaultRevision(records),
    sealedAt: formatIso(last?.sealedAt),
    openedAt: formatIso(last?.openedAt),
    openedCount: last?.openedCount ?? 0,
    checked: {
      password: last?.passwordAt != null,
      secondFactor: last?.secondFactorAt != null,
      recovery: last?.recoveryAt != null,
    },
    checkBy: formatIso(due),
    overdue: due !== null && due <= at,
    destroyedAt: formatIso(last?.destroyedAt),
    earlier: records.slice(0, -1).map(({ sealedAt, openedAt }) => ({
      sealedAt: sealedAt.toISOString(),
      openedAt: formatIso(openedAt),
    })),
  };
}

/** Names the state of a trade's vault and the version of its contents: what a decision about the trade's money was shown. */
export function vaultRevision(records: readonly VaultRecord[]): string {
  const last = records.at(-1);
  return last === undefined ? stateOf(last) : `${stateOf(last)}:${last.version}`;
}

function stateOf(last: VaultRecord | undefined): VaultView["state"] {
  if (last === undefined) return "none";
  if (last.destroyedAt !== null) return "destroyed";
  return last.openedAt === null ? "sealed" : "opened";
}
