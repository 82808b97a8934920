import { postToRoom, type Speaker } from "../connection/room-api.ts";
import { uploadPicture } from "../pictures/sending/upload-picture.ts";
import type { Message, PendingMessage } from "../types.ts";
import type { DeliveryOutcome } from "./outbox.ts";

/** How long the socket may take to acknowledge a message before the message is posted by HTTP instead, in ms. */
const acknowledgementTimeoutMs = 4_000;

/** One delivery function per kind of entry; each is a single attempt, which may throw if the network fails. */
type DeliveryWays = {
  [Kind in PendingMessage["kind"]]: (
    entry: Extract<PendingMessage, { kind: Kind }>,
  ) => Promise<DeliveryOutcome>;
};

/** Delivers outbox entries by the socket while it is open and acknowledges, otherwise by HTTP. */
export function outboxDeliveries(
  speaker: Speaker,
  take: (messages: Message[]) => void,
  sendFrame: (frame: object) => boolean,
) {
  const awaited = new Map<string, (outcome?: DeliveryOutcome) => void>();
  const answered = (clientId: string, outcome?: DeliveryOutcome) => awaited.get(clientId)?.(outcome);

  /** Undefined if the socket is closed, closes, or does not acknowledge in time. */
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
    text: async ({ clientId, content, replyTo }) => {
      const said = { content, type: "text", ...(replyTo && { replyTo: replyTo.seq }) };
      const told = await bySocket(clientId, { type: "chat", payload: said });
      return told ?? postToRoom(speaker, "messages", { ...said, clientId }, (message) => take([message]));
    },
    image: (entry) => uploadPicture(speaker, entry, (message) => take([message])),
  };

  return {
    deliver: (entry: PendingMessage) =>
      (ways[entry.kind] as (entry: PendingMessage) => Promise<DeliveryOutcome>)(entry),
    answered,
    /** The socket is closed: no acknowledgement will come. */
    cut() {
      for (const clientId of [...awaited.keys()]) answered(clientId);
    },
  };
}
