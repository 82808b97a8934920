import { config } from "#config";
import type { Tx } from "#db/client";
import { type Language, translateText } from "#locales";
import { sendMail } from "#modules/mailer";
import { replyHours, type SupportTopic } from "../../forms.ts";

/** Who asks for support: the account, or what a visitor entered. */
export type SupportAsker =
  | { userId: number; username: string; name: string; email: string }
  | { userId: null; name: string; email: string };

/** `tradeId`: the trade of the code, if the asker is a party to it. */
export type SupportQuestion = {
  number: string;
  topic: SupportTopic;
  code?: string | undefined;
  tradeId: number | null;
  message: string;
};

/** The support team reads Mongolian, as the administrators do. */
const supportLanguage: Language = "mn";

/** Emails a request to the support address and a receipt to the asker, in the transaction that stores the request. */
export async function mailSupport(
  tx: Tx,
  asker: SupportAsker,
  asked: SupportQuestion,
  language: Language,
): Promise<void> {
  const { number, code = "" } = asked;
  await sendMail(tx, {
    template: "supportRequest",
    to: config().SUPPORT_EMAIL,
    replyTo: asker.email,
    language: supportLanguage,
    key: `support-request:${number}`,
    data: requestData(asker, asked),
  });
  await sendMail(tx, {
    template: "supportReceived",
    to: asker.email,
    language,
    key: `support-received:${number}`,
    ...(asker.userId !== null && { userId: asker.userId }),
    data: {
      number,
      code,
      topic: topicIn(language, asked.topic),
      hours: replyHours.join("–"),
      url: "/support",
    },
  });
}

function requestData(asker: SupportAsker, { number, topic, code = "", tradeId, message }: SupportQuestion) {
  const standing = code === "" ? "none" : tradeId === null ? "unproven" : "own";
  const shownCode =
    standing === "unproven"
      ? translateText(supportLanguage, "mail.supportRequest.unprovenCode", { code })
      : code;
  const word = topicIn(supportLanguage, topic);
  return {
    number,
    topic: word,
    about: code === "" ? word : `${word}, ${shownCode}`,
    code: shownCode,
    standing,
    name: asker.name,
    email: asker.email,
    account: asker.userId === null ? "" : `@${asker.username} (${asker.userId})`,
    message,
    url: tradeId === null ? "" : `/admin/transactions/${tradeId}`,
  } as const;
}

function topicIn(language: Language, topic: SupportTopic): string {
  return translateText(language, `support.topics.${topic}`);
}
