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
  body: sendImageInput.extend({ imageData: z.string().describe("The picture as a base64 data URL.") }),
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
  summary: "Get a picture",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});

export const showSmallImage = describeCall({
  summary: "Get a picture in its small size",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});
