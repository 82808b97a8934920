import { dayInWords, type Language, lastDayBefore } from "#format";
import type { TemplateName } from "./templates.ts";

type Data = Record<string, string | number>;

/** Values computed from a template's data. The mail about a restriction names its last day, and its cause unless it was lifted. */
const derivedValueRules: {
  [T in TemplateName]?: { names: readonly string[]; of: (data: Data, language: Language) => Data };
} = {
  accountRestricted: {
    names: ["lastDay", "reason"],
    of: ({ event, cause, deadline }, language) => ({
      lastDay: deadline ? dayInWords(lastDayBefore(String(deadline)), language) : "",
      reason: event === "lifted" ? "" : (cause ?? ""),
    }),
  },
};

/** Names of the computed values of a template. */
export function derivedNames(template: TemplateName): readonly string[] {
  return derivedValueRules[template]?.names ?? [];
}

/** The computed values of a template. Computed at rendering, so that mails in the outbox keep a format that older instances can read. */
export function derivedValues(template: TemplateName, data: Data, language: Language): Data {
  return derivedValueRules[template]?.of(data, language) ?? {};
}
