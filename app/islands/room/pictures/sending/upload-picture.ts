import { outcomeOfResponse, type Speaker, speakerHeaders } from "../../connection/room-api.ts";
import type { DeliveryOutcome } from "../../outbox/outbox.ts";
import type { Message, PendingImage } from "../../types.ts";

/** An upload without progress for this long is aborted; a slow link that still moves is not. */
const uploadStallMs = 60_000;

interface Upload {
  request: XMLHttpRequest;
  /** Upload progress, from 0 to 1. */
  share: number;
}

const activeUploads = new Map<string, Upload>();
const uploadListeners = new Set<() => void>();

/** Calls `hear` whenever an upload of this page starts, progresses or ends. Returns a function that unsubscribes. */
export function subscribeToUploads(hear: () => void): () => void {
  uploadListeners.add(hear);
  return () => uploadListeners.delete(hear);
}

/** Upload progress of a picture, from 0 to 1; undefined while it is not being uploaded. */
export function uploadProgressOf(clientId: string): number | undefined {
  return activeUploads.get(clientId)?.share;
}

/** Aborts an upload. If the server has received it all by then, the picture may still be posted. */
export function cancelUpload(clientId: string): void {
  activeUploads.get(clientId)?.request.abort();
}

/**
 * One attempt to send a picture, by XMLHttpRequest, which reports upload progress. Safe to repeat: the client id identifies the message.
 */
export function uploadPicture(
  speaker: Speaker,
  { clientId, blob, caption, replyTo }: PendingImage,
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
  if (replyTo) form.set("replyTo", String(replyTo.seq));
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
      // The status is 0 if the network failed or the person cancelled.
      resolve(outcomeOfResponse(request.status, request.response, taken));
    };
    tell(0);
    request.send(form);
  });
}
