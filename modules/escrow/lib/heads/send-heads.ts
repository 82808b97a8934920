import { sign } from "node:crypto";
import { config } from "#config";
import { type HeadMailer, registerHeadMailer, registerHeadSigner } from "#modules/audit";
import { sendMail, undeliveredSince } from "#modules/mailer";
import { evidencePublicKey, signingKey } from "../evidence/signing-key.ts";

// The key that signs evidence also signs heads of the log, so that one public key verifies both.
registerHeadSigner({
  publicKey: evidencePublicKey,
  sign: async (text) => sign(null, Buffer.from(text), (await signingKey()).privateKey).toString("base64"),
});

/** Mails a head to the anchor's address, or to the administrators' address if `to` is null. */
const headMailer: HeadMailer = {
  send: (tx, to, { block, head, statement, signature }) =>
    sendMail(tx, {
      template: "logHead",
      data: { head: `${block}:${head}`, statement, signature, url: "/proof" },
      to: to ?? config().MAIL_ADMIN,
      language: "mn",
      key: `head:${block}:${to === null ? "desk" : "anchor"}`,
    }),
  failingSince: (exec) => undeliveredSince(exec, "logHead"),
};
registerHeadMailer(headMailer);
