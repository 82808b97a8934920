import { outcomeOfResponse, type Speaker, speakerHeaders } from "../connection/room-api.ts";
import type { DeliveryOutcome } from "../outbox/outbox.ts";
import type { Message, PendingImage } from "../types.ts";

/** So long nothing may move; a slow link that still moves is never given up. */
const uploadStallMs = 60_000;

interface Upload {
  request: XMLHttpRequest;
  /** How much of it has left, from 0 to 1. */
  share: number;
}

const activeUploads = new Map<string, Upload>();
const uploadListeners = new Set<() => void>();

/** Calls `hear` whenever an upload of this page begins, moves on or ends. */
export function subscribeToUploads(hear: () => void): () => void {
  uploadListeners.add(hear);
  return () => uploadListeners.delete(hear);
}

/** How much of a picture has left, from 0 to 1; undefined while it is not being sent. */
export function uploadProgressOf(clientId: string): number | undefined {
  return activeUploads.get(clientId)?.share;
}

/** Ends an upload where it is. What the server has by then may still be said. */
export function cancelUpload(clientId: string): void {
  activeUploads.get(clientId)?.request.abort();
}

/**
 * One try to send a picture, by the one kind of request that tells how far it is. Safe to repeat: the client id makes it the
 * same message.
 */
export function uploadPicture(
  speaker: Speaker,
  { clientId, blob, caption }: PendingImage,
  taken: (message: Message) => void,
): Promise<DeliveryOutcome> {
  const request = new XMLHttpRequest();
  let timer = setTimeout(() => request.abort(), uploadStallMs);
  const tell = (share: number) => {
    clearTimeout(timer);
    timer = setTimeout(() => request.abort(), uploadStallMs);
    activeUploads.set(clientId, { request, share });
    for (const hear of uploadListeners) hear();
  };
  const form = new FormData();
  form.set("clientId", clientId);
  form.set("caption", caption);
  form.set("image", blob, "picture");
  return new Promise((resolve) => {
    request.open("POST", `/api/chat/rooms/${speaker.roomId}/images`);
    for (const [name, value] of Object.entries(speakerHeaders(speaker)))
      request.setRequestHeader(name, value);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => tell(total > 0 ? loaded / total : 0);
    request.onloadend = () => {
      clearTimeout(timer);
      activeUploads.delete(clientId);
      for (const hear of uploadListeners) hear();
      // Its status is 0 where the network failed, or the person cancelled.
      resolve(outcomeOfResponse(request.status, request.response, taken));
    };
    tell(0);
    request.send(form);
  });
}
