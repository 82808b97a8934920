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
  /** By client id: resolves the attempt that waits for the socket's acknowledgement. */
  const waitingAttempts = new Map<string, (outcome?: DeliveryOutcome) => void>();
  const resolveAttempt = (clientId: string, outcome?: DeliveryOutcome) =>
    waitingAttempts.get(clientId)?.(outcome);

  /** Undefined if the socket is closed, closes, or does not acknowledge in time. */
  const bySocket = (clientId: string, frame: object) =>
    new Promise<DeliveryOutcome | undefined>((resolve) => {
      if (!sendFrame({ ...frame, clientId })) return resolve(undefined);
      const timer = setTimeout(resolveAttempt, acknowledgementTimeoutMs, clientId);
      waitingAttempts.set(clientId, (outcome) => {
        clearTimeout(timer);
        waitingAttempts.delete(clientId);
        resolve(outcome);
      });
    });

  const ways: DeliveryWays = {
    text: async ({ clientId, content, replyTo }) => {
      const payload = { content, type: "text", ...(replyTo && { replyTo: replyTo.seq }) };
      const outcome = await bySocket(clientId, { type: "chat", payload });
      return (
        outcome ?? postToRoom(speaker, "messages", { ...payload, clientId }, (message) => take([message]))
      );
    },
    image: (entry) => uploadPicture(speaker, entry, (message) => take([message])),
  };

  return {
    deliver: (entry: PendingMessage) =>
      (ways[entry.kind] as (entry: PendingMessage) => Promise<DeliveryOutcome>)(entry),
    resolveAttempt,
    /** For when the socket is closed, and no acknowledgement will come. */
    resolveAllAttempts() {
      for (const clientId of [...waitingAttempts.keys()]) resolveAttempt(clientId);
    },
  };
}
