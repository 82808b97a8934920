import { getTranslator, type Language } from "#locales";
import type { ActionWords } from "../../islands/room/types.ts";

/** Texts of a message's actions and of replies. */
export function actionWords(language: Language): ActionWords {
  const t = getTranslator(language);
  return {
    reply: t("room.actions.reply"),
    copyText: t("room.actions.copyText"),
    download: t("room.actions.download"),
    unchangeable: t("room.actions.unchangeable"),
    close: t("room.actions.close"),
    picture: t("room.imageShared"),
    showQuoted: t("room.actions.showQuoted"),
    replyingTo: t("room.actions.replyingTo"),
    cancelReply: t("room.actions.cancelReply"),
  };
}
