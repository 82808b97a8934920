import { readdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { noisePicture } from "../../support/hostile/hostile-pictures.ts";
import { type Day, paidTradeOf, type Step, stopService } from "../day.ts";
import { untilOpen } from "../door.ts";
import { runOrThrow, runProgram } from "../machine.ts";
import { runMidman, startService } from "../service.ts";
import { postMessage, requireTradeIntact } from "../town.ts";

const pictures = "/var/lib/midman/files";
const saved = "/var/lib/midman/files-saved";
const archives = "/var/backups/midman/narrow";

/** Pictures, then an archive, on disks that are full; then the pictures move to the disk of before. */
export const fullDisk: Step = {
  name: "a full disk",
  async run(day, note) {
    await stopService(day);
    await onSmallDisk(pictures, "2m", async () => {
      day.service = await startService();
      await untilOpen(day.site);
      await refusePictures(day, note);
      await stopService(day);
      await runOrThrow(["cp", "-a", pictures, saved]);
    });
    // The pictures of before lie below the disk that is gone; those taken since come beside them.
    await runOrThrow(["cp", "-a", `${saved}/.`, pictures]);
    rmSync(saved, { recursive: true });
    day.service = await startService();
    await untilOpen(day.site);
    await onSmallDisk(archives, "64k", async () => {
      const backup = await runMidman("backup", `${archives}/midman.tar.zst`);
      if (backup.status !== 1) throw new Error(`a backup onto a full disk ended with ${backup.status}`);
      const left = readdirSync(archives);
      if (left.length > 0) throw new Error(`a backup onto a full disk left ${left.join(", ")}`);
      note(
        `\`midman backup\` onto a full disk ends with 1 and leaves nothing: “${backup.err.trim().split("\n").at(-1)}”`,
      );
    });
    await requireTradeIntact(paidTradeOf(day));
  },
};

/** Mounts a small disk over a folder, and unmounts it when the work ends or fails; throws if it stays mounted. */
async function onSmallDisk(folder: string, size: string, work: () => Promise<void>): Promise<void> {
  await runOrThrow(["install", "-d", "-o", "midman", "-g", "midman", "-m", "700", folder]);
  const options = `size=${size},uid=midman,gid=midman,mode=700`;
  await runOrThrow(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder]);
  try {
    await work();
  } catch (error) {
    // The service of a failed step may still hold files there.
    await runProgram(["umount", "--lazy", folder]);
    throw error;
  }
  await runOrThrow(["umount", folder]);
  if ((await runProgram(["mountpoint", "--quiet", folder])).status === 0)
    throw new Error(`${folder} is still a small disk`);
}

async function refusePictures(day: Day, note: (words: string) => void): Promise<void> {
  const { deal } = paidTradeOf(day);
  fillDisk(pictures);
  const picture = await noisePicture(800, 600).jpeg().toBuffer();
  const clientId = crypto.randomUUID();
  const imageData = `data:image/jpeg;base64,${picture.toString("base64")}`;
  const send = () => deal.buyer.post(`/api/chat/rooms/${deal.roomId}/images`, { imageData, clientId });
  const refused = await send();
  if (refused.status !== 503)
    throw new Error(`a picture on a full disk was answered ${refused.status} ${refused.text}`);
  note(`a picture is answered with 503, ${refused.body.code}: “${refused.body.message}”`);
  await postMessage(deal, "still here on a full disk");
  if (readdirSync(pictures, { recursive: true }).some((name) => String(name).endsWith(".tmp")))
    throw new Error("half a picture stayed");
  rmSync(`${pictures}/filler`);
  const taken = await send();
  if (taken.status !== 201) throw new Error(`with room again it answered ${taken.status}`);
  note("texts go on; no half of a file stays; with room again the same picture is taken");
}

/** Leaves no room at all. */
function fillDisk(at: string): void {
  const { bsize, bavail } = statfsSync(at);
  writeFileSync(`${at}/filler`, Buffer.alloc(bavail * bsize));
}
