import { expect, test } from "bun:test";
import { getTranslator } from "#locales";
import { renderMail } from "./render-mail.ts";
import { templateSamples } from "./template-samples.ts";

const states = {
  paymentRequested: "waiting",
  paymentConfirmed: "held",
  handedOver: "held",
  confirmPlease: "held",
  cancellationRequested: "held",
  cancellationDeclined: "held",
  refundAccountNeeded: "refunding",
  refundAccountNamed: "refunding",
  tradeCancelled: "refunding",
  payoutDecided: "held",
  transferNotArrived: "held",
  payoutSent: "released",
  transactionCompletion: "released",
  refundSent: "returned",
  disputeOpened: "disputed",
} as const;

for (const [template, state] of Object.entries(states) as Array<
  [keyof typeof states, (typeof states)[keyof typeof states]]
>) {
  test(`${template} says that the money is ${state}, in the words of the pages`, () => {
    for (const language of ["mn", "en"] as const) {
      const mail = renderMail(template, language, templateSamples[template]);
      const word = getTranslator(language)(`money.${state}`);
      expect(mail.text).toContain(`[${word}]`);
      expect(mail.html).toMatch(new RegExp(`<span[^>]*>[^<]* ${word}</span>`));
    }
  });
}
