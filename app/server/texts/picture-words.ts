import { getTranslator, type Language } from "#locales";
import type { PictureWords } from "../../islands/room/pictures/picture-words.ts";

/** Texts for sending and showing pictures in a room; the browser replaces the placeholders in brackets. */
export function pictureWords(language: Language): PictureWords {
  const t = getTranslator(language);
  return {
    attach: t("room.picture.attach"),
    choose: t("room.picture.choose"),
    photo: t("room.picture.photo"),
    drop: t("room.picture.drop"),
    count: t("room.picture.count", { n: "[n]", all: "[all]" }),
    caption: t("room.picture.caption"),
    cancel: t("chat.cancel"),
    skip: t("room.picture.skip"),
    preparing: t("room.picture.preparing"),
    notPicture: t("room.picture.notPicture"),
    tooLarge: t("room.picture.tooLarge"),
    sending: t("room.picture.sending"),
    from: t("room.picture.from", { name: "[name]" }),
    broken: t("room.picture.broken"),
    again: t("room.picture.again"),
    file: t("room.picture.file"),
  };
}
