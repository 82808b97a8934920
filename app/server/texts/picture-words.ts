import { getTranslator, type Language } from "#locales";
import { maxPicturesAtOnce } from "../../islands/room/pictures/picture-limits.ts";
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
    addMore: t("room.picture.addMore"),
    remove: t("room.picture.remove", { name: "[name]" }),
    tooMany: t("room.picture.tooMany", { most: maxPicturesAtOnce }),
    notLoaded: t("room.picture.notLoaded"),
    preparing: t("room.picture.preparing"),
    notPicture: t("room.picture.notPicture"),
    tooLarge: t("room.picture.tooLarge"),
    pdfTooLarge: t("room.picture.pdfTooLarge"),
    kilobytes: t("room.picture.kilobytes", { n: "[n]" }),
    megabytes: t("room.picture.megabytes", { n: "[n]" }),
    sending: t("room.picture.sending"),
    from: t("room.picture.from", { name: "[name]" }),
    broken: t("room.picture.broken"),
    again: t("room.picture.again"),
    viewer: t("room.picture.viewer"),
    previous: t("room.picture.previous"),
    next: t("room.picture.next"),
    zoom: t("room.picture.zoom"),
    download: t("room.picture.download"),
    close: t("room.picture.close"),
    file: t("room.picture.file"),
  };
}
