import { dayInWords, type Language, lastDayBefore } from "#format";
import { localText } from "./local-text.ts";
import { type TemplateName, templateSchemas } from "./templates.ts";

type Data = Record<string, string | number>;
type Rule = { names: readonly string[]; of: (data: Data, language: Language) => Data };

/** Steps of a dispute that each party reads in words of its own. */
const stepsByRole: readonly unknown[] = ["released", "ruledRelease"];

/** Values computed from a template's data. */
const derivedValueRules: { [T in TemplateName]?: Rule } = {
  /** The last day of a restriction, and its cause unless it was lifted. */
  accountRestricted: {
    names: ["lastDay", "reason"],
    of: ({ event, cause, deadline }, language) => ({
      lastDay: deadline ? dayInWords(lastDayBefore(String(deadline)), language) : "",
      reason: event === "lifted" ? "" : (cause ?? ""),
    }),
  },
  /** What happens if the reader answers: while the trade is checked, nobody can agree. */
  cancellationRequested: {
    names: ["answerText"],
    of: ({ role = "", checked }) => ({ answerText: checked === "yes" ? "checked" : role }),
  },
  /**
   * Why the trade was cancelled, as its reader reads it: the seller withdrew the request themselves. What becomes of the refund, and whether
   * the buyer must add an account for it.
   */
  tradeCancelled: {
    names: ["cause", "refundFor", "asksAccount", "accountWait"],
    of: ({ reason = "", role, account, deadline }) => ({
      cause: reason === "withdrawn" && role === "seller" ? "withdrawnByYou" : reason,
      refundFor: role === "seller" ? "seller" : `buyer.${account || "unknown"}`,
      asksAccount: account === "needed" ? "yes" : "",
      ...accountWaitOf(deadline),
    }),
  },
  refundAccountNeeded: { names: ["accountWait"], of: ({ deadline }) => accountWaitOf(deadline) },
  /** `confirmed`: the buyer confirmed before the handover, so they are asked only to check the item. */
  handedOver: {
    names: ["buyerStage"],
    of: ({ deadline }) => ({ buyerStage: deadline ? "open" : "confirmed" }),
  },
  /** What the reader confirms: the seller's words depend on their account. */
  confirmPlease: {
    names: ["confirmText"],
    of: ({ role = "", account }) => ({
      confirmText: role === "seller" ? `seller.${account || "unknown"}` : role,
    }),
  },
  /** The step in the words for its reader, and what comes next: a party who gets money is asked for their account. */
  disputeStep: {
    names: ["stepForRole", "nextForRole", "asksAccount", "asksRefundAccount", "accountWait"],
    of: ({ step = "", role, account, deadline }) => {
      const stepForRole = stepsByRole.includes(step) ? `${step}.${role}` : step;
      const isPaid = step === "ruledSplit" || (stepForRole !== step && role === "seller");
      const nextForRole = isPaid ? `${stepForRole}.${account || "unknown"}` : stepForRole;
      const asksAccount = account === "needed" ? "yes" : "";
      // Without the seller's account nobody adds another one: an administrator can do so only for a refund.
      const asksRefundAccount = role === "buyer" ? asksAccount : "";
      return { stepForRole, nextForRole, asksAccount, asksRefundAccount, ...accountWaitOf(deadline) };
    },
  },
};

/** The item of a trade in words, for every mail about a trade; empty if the mail does not know it with its price. */
const itemRule: Rule = {
  names: ["item"],
  of: ({ goods, price }, language) => ({
    item: goods && price ? localText(language, `trade.goods.${goods}`, {}) : "",
  }),
};

/** The page that a link about a trade opens, as a key (`place`) and within a sentence (`where`). */
const placeRule: Rule = {
  names: ["place", "where"],
  of: ({ url }, language) => {
    const place = /\/chat\/\d+$/.test(String(url)) ? "room" : "page";
    return { place, where: localText(language, `mail.common.where.${place}`, {}) };
  },
};

/** What happens while Midman has no account for a refund: before the buyer's deadline, and after it. */
function accountWaitOf(deadline: Data[string] | undefined): { accountWait: string } {
  return { accountWait: deadline ? "before" : "after" };
}

function rulesOf(template: TemplateName): Rule[] {
  const own = derivedValueRules[template];
  const isAboutTrade = "goods" in templateSchemas[template].shape;
  return [...(isAboutTrade ? [itemRule, placeRule] : []), ...(own ? [own] : [])];
}

/** Names of the computed values of a template. */
export function derivedNames(template: TemplateName): readonly string[] {
  return rulesOf(template).flatMap(({ names }) => names);
}

/** The computed values of a template. Computed at rendering: they are not stored with a mail in the outbox. */
export function derivedValues(template: TemplateName, data: Data, language: Language): Data {
  return Object.assign({}, ...rulesOf(template).map(({ of }) => of(data, language)));
}
