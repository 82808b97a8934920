import { existsSync, readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { noise } from "../../support/hostile-pictures.ts";
import { LeftOut, paidTradeOf, type Step, stop } from "../day.ts";
import { untilOpen } from "../door.ts";
import { must, run } from "../machine.ts";
import { midman, start } from "../service.ts";
import { requireTradeIntact, say } from "../town.ts";

const folder = "/var/lib/midman/files";
const narrow = "/var/backups/midman/narrow";

/** Pictures, then an archive, on disks that are full. */
export const fullDisk: Step = {
  name: "a full disk",
  async run(day, note) {
    await stop(day);
    await must(["install", "-d", "-o", "midman", "-g", "midman", "-m", "700", folder, narrow]);
    const mounted = await run([
      "mount",
      "-t",
      "tmpfs",
      "-o",
      "size=2m,uid=midman,gid=midman,mode=700",
      "tmpfs",
      folder,
    ]);
    day.service = await start();
    await untilOpen(day.site);
    if (mounted.status !== 0)
      throw new LeftOut(`left out: nothing can be mounted here: ${mounted.err.trim()}`);
    const { deal } = paidTradeOf(day);
    fill(folder);
    const picture = await noise(800, 600).jpeg().toBuffer();
    const clientId = crypto.randomUUID();
    const imageData = `data:image/jpeg;base64,${picture.toString("base64")}`;
    const send = () => deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData, clientId });
    const refused = await send();
    if (refused.status !== 503)
      throw new Error(`a picture on a full disk was answered ${refused.status} ${refused.text}`);
    note(`a picture is answered with 503, ${refused.body.code}: “${refused.body.message}”`);
    await say(deal, "still here on a full disk");
    if (readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith(".tmp")))
      throw new Error("half a picture stayed");
    rmSync(`${folder}/filler`);
    const taken = await send();
    if (taken.status !== 201) throw new Error(`with room again it answered ${taken.status}`);
    note("texts go on; no half of a file stays; with room again the same picture is taken");
    await must(["mount", "-t", "tmpfs", "-o", "size=64k,uid=midman,gid=midman,mode=700", "tmpfs", narrow]);
    const backup = await midman("backup", `${narrow}/midman.tar.zst`);
    if (backup.status !== 1) throw new Error(`a backup onto a full disk ended with ${backup.status}`);
    const left = existsSync(narrow) ? readdirSync(narrow) : [];
    if (left.length > 0) throw new Error(`a backup onto a full disk left ${left.join(", ")}`);
    note(
      `\`midman backup\` onto a full disk ends with 1 and leaves nothing: “${backup.err.trim().split("\n").at(-1)}”`,
    );
    await must(["umount", narrow]);
    await requireTradeIntact(paidTradeOf(day));
  },
};

/** Leaves no room at all. */
function fill(at: string): void {
  const { bsize, bavail } = statfsSync(at);
  writeFileSync(`${at}/filler`, Buffer.alloc(bavail * bsize));
}
