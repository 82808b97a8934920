import { z } from "zod";
import { describeCall } from "#calls";
import { sendImageInput } from "../../forms.ts";
import { messageSchema } from "../core/responses.ts";

export const sendImage = describeCall({
  summary: "Send a picture",
  group: "Rooms",
  by: "user",
  answers: messageSchema,
  status: [201],
  body: sendImageInput.extend({ imageData: z.string().describe("A data URL of a picture, as base64.") }),
  refuses: [
    "CHAT_ROOM_NOT_FOUND",
    "CLIENT_ID_REUSED",
    "IMAGES_BUSY",
    "IMAGE_MISSING",
    "IMAGE_TOO_LARGE",
    "IMAGE_TOO_MANY_PIXELS",
    "IMAGE_UNREADABLE",
    "THROTTLED",
  ],
});

export const showImage = describeCall({
  summary: "A picture",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});

export const showSmallImage = describeCall({
  summary: "The same small",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});
