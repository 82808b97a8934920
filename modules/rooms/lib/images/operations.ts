import { z } from "zod";
import { describeCall } from "#calls";
import { sendImageInput } from "../../forms.ts";
import { messageSchema } from "../core/responses.ts";
import { pdfMime, pictureMime } from "./file-names.ts";
import type * as images from "./send-image.ts";
import type { findVisibleImage, readPictureFile } from "./visible-image.ts";

export const sendImage = describeCall<typeof images.sendImage>({
  summary: "Send a picture or a PDF",
  group: "Rooms",
  by: "user",
  answers: messageSchema,
  status: [201],
  body: sendImageInput.extend({ imageData: z.string().describe("The picture or PDF as a base64 data URL.") }),
  refuses: {
    CHAT_ROOM_NOT_FOUND: true,
    CLIENT_ID_REUSED: true,
    FILE_TOO_LARGE: true,
    FILE_UNREADABLE: true,
    FILE_UNSAFE: true,
    IMAGES_BUSY: true,
    IMAGE_MISSING: true,
    IMAGE_TOO_LARGE: true,
    IMAGE_TOO_MANY_PIXELS: true,
    IMAGE_UNREADABLE: true,
    THROTTLED: true,
    UNAVAILABLE: true,
  },
});

export const showImage = describeCall<typeof findVisibleImage | typeof readPictureFile>({
  summary: "Get a picture or a PDF",
  group: "Rooms",
  by: "user",
  file: [pictureMime, pdfMime],
  refuses: { NOT_FOUND: true, UNAVAILABLE: true },
});

export const showSmallImage = describeCall<typeof findVisibleImage | typeof readPictureFile>({
  summary: "Get a small version of a picture",
  group: "Rooms",
  by: "user",
  file: pictureMime,
  refuses: { NOT_FOUND: true, UNAVAILABLE: true },
});
