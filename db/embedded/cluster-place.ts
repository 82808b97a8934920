import { createHash } from "node:crypto";
import { existsSync, lstatSync, mkdirSync, readlinkSync, realpathSync, statSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { privateFolder } from "./cluster.ts";
import { commandSucceeds, type RunAs, runAs, runCommandAs } from "./run-command.ts";

/** Where root keeps what another user must reach if the checkout lies in root's home. */
const STATE = "/var/lib/midman";

export type EmbeddedPlace = {
  as: RunAs;
  /** Owned by the database's user. Contains the cluster in `data`, the log, and the socket in `run`. */
  home: string;
  /** Where a copy of the programs may be placed. */
  shelter: string;
};

/**
 * Decides which user runs the database and where it lies: in `wanted` (`<DATA_DIR>/postgres-18`) or, if that user cannot reach it, in the
 * system's state folder, with `wanted` a link to it. Later starts keep the decision.
 */
export function findPlace(wanted: string): EmbeddedPlace {
  mkdirSync(dirname(wanted), { recursive: true });
  const there = existsSync(wanted);
  if (!there && lstatSync(wanted, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const gone = readlinkSync(wanted);
    throw new Error(
      `The embedded database was in ${gone} and is gone. Restore it, or remove ${wanted} to start with an empty one.`,
    );
  }
  const as = runAs(there ? statSync(wanted) : undefined);
  const root = process.getuid?.() === 0;
  const shelter = root ? STATE : dirname(wanted);
  if (there) {
    const home = realpathSync(wanted);
    if (as.become !== undefined && statSync(home).uid === 0) changeFolderOwner(home, as.become);
    if (!commandSucceeds(as, ["test", "-x", home])) {
      throw new Error(
        `The embedded database in ${home} belongs to another user, or its user cannot reach it.`,
      );
    }
    return { as, home, shelter };
  }
  if (!root || commandSucceeds(as, ["test", "-x", dirname(wanted)])) {
    privateFolder(as, wanted);
    return { as, home: realpathSync(wanted), shelter };
  }
  const name = createHash("sha256")
    .update(realpathSync(dirname(wanted)))
    .digest("hex")
    .slice(0, 12);
  const home = join(STATE, name);
  mkdirSync(STATE, { recursive: true, mode: 0o755 });
  privateFolder(as, home);
  symlinkSync(home, wanted);
  return { as, home, shelter };
}

/** Changes the owner of data that root ran in a user namespace, where namespaces are no longer available. */
function changeFolderOwner(home: string, { uid, gid }: { uid: number; gid: number }): void {
  const given = runCommandAs({ prefix: [] }, ["chown", "-R", `${uid}:${gid}`, home]);
  if (given.status !== 0)
    throw new Error(`The embedded database in ${home} belongs to root: ${given.output.trim()}`);
}
