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
  /** Why the trade was cancelled, as its reader reads it: the seller withdrew the request themselves. */
  tradeCancelled: {
    names: ["cause"],
    of: ({ reason = "", role }) => ({
      cause: reason === "withdrawn" && role === "seller" ? "withdrawnByYou" : reason,
    }),
  },
  /** The step in the words for its reader. */
  disputeStep: {
    names: ["stepForRole"],
    of: ({ step = "", role }) => ({ stepForRole: stepsByRole.includes(step) ? `${step}.${role}` : step }),
  },
};

/** The item of a trade in words, for every mail about a trade; empty if the mail does not know it with its price. */
const itemRule: Rule = {
  names: ["item"],
  of: ({ goods, price }, language) => ({
    item: goods && price ? localText(language, `trade.goods.${goods}`, {}) : "",
  }),
};

function rulesOf(template: TemplateName): Rule[] {
  const own = derivedValueRules[template];
  return [...("goods" in templateSchemas[template].shape ? [itemRule] : []), ...(own ? [own] : [])];
}

/** Names of the computed values of a template. */
export function derivedNames(template: TemplateName): readonly string[] {
  return rulesOf(template).flatMap(({ names }) => names);
}

/** The computed values of a template. Computed at rendering: they are not stored with a mail in the outbox. */
export function derivedValues(template: TemplateName, data: Data, language: Language): Data {
  return Object.assign({}, ...rulesOf(template).map(({ of }) => of(data, language)));
}
