import { postToRoom, type Speaker } from "../connection/room-api.ts";
import { uploadPicture } from "../pictures/upload-picture.ts";
import type { Message, PendingMessage } from "../types.ts";
import type { DeliveryOutcome } from "./outbox.ts";

/** How long the socket may owe an acknowledgement before the message is posted by HTTP instead. */
const acknowledgementTimeoutMs = 4_000;

/** A way for each kind of entry: one try, which may throw when the network fails. */
type DeliveryWays = {
  [Kind in PendingMessage["kind"]]: (
    entry: Extract<PendingMessage, { kind: Kind }>,
  ) => Promise<DeliveryOutcome>;
};

/** How entries leave: by the socket where it is open and answers, else by HTTP. */
export function outboxDeliveries(
  speaker: Speaker,
  take: (messages: Message[]) => void,
  sendFrame: (frame: object) => boolean,
) {
  const awaited = new Map<string, (outcome?: DeliveryOutcome) => void>();
  const answered = (clientId: string, outcome?: DeliveryOutcome) => awaited.get(clientId)?.(outcome);

  /** Undefined when the socket is away, goes, or owes its answer for too long. */
  const bySocket = (clientId: string, frame: object) =>
    new Promise<DeliveryOutcome | undefined>((resolve) => {
      if (!sendFrame({ ...frame, clientId })) return resolve(undefined);
      const timer = setTimeout(answered, acknowledgementTimeoutMs, clientId);
      awaited.set(clientId, (outcome) => {
        clearTimeout(timer);
        awaited.delete(clientId);
        resolve(outcome);
      });
    });

  const ways: DeliveryWays = {
    text: async ({ clientId, content }) => {
      const said = { content, type: "text" };
      const told = await bySocket(clientId, { type: "chat", payload: said });
      return told ?? postToRoom(speaker, "messages", { ...said, clientId }, (message) => take([message]));
    },
    image: (entry) => uploadPicture(speaker, entry, (message) => take([message])),
  };

  return {
    deliver: (entry: PendingMessage) =>
      (ways[entry.kind] as (entry: PendingMessage) => Promise<DeliveryOutcome>)(entry),
    answered,
    /** The socket is gone: nobody waits for its answers any more. */
    cut() {
      for (const clientId of [...awaited.keys()]) answered(clientId);
    },
  };
}
