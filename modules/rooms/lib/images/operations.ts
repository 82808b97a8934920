import { z } from "zod";
import { call } from "#calls";
import { sendImageInput } from "../../forms.ts";
import { message } from "../core/responses.ts";

export const sendImage = call({
  summary: "Send a picture",
  group: "Rooms",
  by: "user",
  answers: message,
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

export const showImage = call({
  summary: "A picture",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});

export const showSmallImage = call({
  summary: "The same small",
  group: "Rooms",
  by: "user",
  file: "image/webp",
});
