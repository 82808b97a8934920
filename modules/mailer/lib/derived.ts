import { lastDayBefore } from "#format";
import type { TemplateName } from "./templates.ts";

type Data = Record<string, string | number>;

/** A restriction's mail names its last day, and why it was placed only while it holds. */
const derivations: { [T in TemplateName]?: { names: readonly string[]; of: (data: Data) => Data } } = {
  accountRestricted: {
    names: ["lastDay", "reason"],
    of: ({ event, cause, deadline }) => ({
      lastDay: deadline ? lastDayBefore(String(deadline)) : "",
      reason: event === "lifted" ? "" : (cause ?? ""),
    }),
  },
};

/** The names of the values that a template reads beside its data. */
export function derivedNames(template: TemplateName): readonly string[] {
  return derivations[template]?.names ?? [];
}

/** Those values. They are made when the mail is drawn: what waits in the outbox stays as the versions that run beside know it. */
export function derivedValues(template: TemplateName, data: Data): Data {
  return derivations[template]?.of(data) ?? {};
}
