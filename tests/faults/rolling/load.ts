import { postForm } from "../../support/pages/post-form.ts";
import type { Client, Reply } from "../../support/server/http-client.ts";

/** What came of all requests of one kind. */
export type Tally = { asked: number; failed: string[]; longestMs: number };

/** Somebody who reads or writes without a break: never tries anything twice, and notes whatever was not answered as it should be. */
export type Worker = { tally: Tally; over: Promise<void> };

/** Begins `ask` again and again until `goes` says no, each time after a short pause. */
export function begin(
  goes: () => boolean,
  pauseMs: number,
  ask: (n: number) => Promise<{ what: string; reply: Reply; well: readonly number[] }>,
): Worker {
  const tally: Tally = { asked: 0, failed: [], longestMs: 0 };
  const work = async () => {
    for (let n = 0; goes(); n++) {
      const from = performance.now();
      tally.asked += 1;
      try {
        const { what, reply, well } = await ask(n);
        if (!well.includes(reply.status))
          tally.failed.push(`${what}: ${reply.status} ${reply.text.slice(0, 80)}`);
      } catch (error) {
        tally.failed.push(String(error));
      }
      tally.longestMs = Math.max(tally.longestMs, performance.now() - from);
      await Bun.sleep(pauseMs);
    }
  };
  return { tally, over: work() };
}

/** Reads pages and calls, one after the other. */
export function reading(goes: () => boolean, who: Client, roomId: number): Worker {
  const paths = [
    "/",
    `/chat/${roomId}`,
    "/faq",
    `/api/chat/rooms/${roomId}`,
    "/chat",
    "/settings",
    "/healthz",
  ];
  return begin(goes, 20, async (n) => {
    const what = `GET ${paths[n % paths.length]}`;
    return { what, reply: await who.get(paths[n % paths.length] ?? "/"), well: [200, 302, 303] };
  });
}

/** Posts messages under client ids of its own by the call, each once; `stored` is told of each that was answered. */
export function posting(
  goes: () => boolean,
  who: Client,
  roomId: number,
  stored: (id: string) => void,
): Worker {
  return begin(goes, 30, async (n) => {
    const clientId = crypto.randomUUID();
    const path = `/api/chat/rooms/${roomId}/messages`;
    const reply = await who.post(path, { clientId, content: `posted ${n}`, type: "text" });
    if (reply.status === 201) stored(clientId);
    return { what: `POST ${path}`, reply, well: [201] };
  });
}

/** Posts a form as a browser without scripts does. */
export function filling(goes: () => boolean, who: Client): Worker {
  return begin(goes, 30, async (n) => {
    const reply = await postForm(who, "/preferences", { language: n % 2 === 0 ? "mn" : "en", back: "/faq" });
    return { what: "POST /preferences", reply, well: [302, 303] };
  });
}
