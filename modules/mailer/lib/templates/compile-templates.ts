import { readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import Handlebars from "handlebars";
import type { Language } from "#locales";
import type { MailLook } from "../look/mail-look.ts";
import { derivedNames } from "./derived-values.ts";
import { localText } from "./local-text.ts";
import { type TemplateName, templateNames, templateSchemas } from "./templates.ts";

const emailsFolder = join(import.meta.dir, "../../../../emails");

type Root = { template: TemplateName; language: Language; look: MailLook; own: Record<string, string> };
type CompiledTemplate = Record<"html" | "text", (root: Root) => string>;

type MoneyLook = { sign: string; ink: string; ground: string };
type MoneyName = "waiting" | "held" | "refunding" | "released" | "returned" | "disputed";

/** The same words and colours as on the pages; a character replaces the icon, which many mail programs would not show. */
const moneyLooks: Record<MoneyName, MoneyLook> = {
  waiting: { sign: "⧗", ink: "#844a0b", ground: "#fdf1d5" },
  held: { sign: "❖", ink: "#1d4ed8", ground: "#e8effd" },
  released: { sign: "✓", ink: "#15652f", ground: "#e4f4e9" },
  refunding: { sign: "↩", ink: "#5b34b5", ground: "#f0ebfc" },
  returned: { sign: "↩", ink: "#5b34b5", ground: "#f0ebfc" },
  disputed: { sign: "⚖", ink: "#b3261e", ground: "#fdecea" },
};

let compiledTemplates: Map<TemplateName, CompiledTemplate> | undefined;

/** A template compiled twice from the same source: with the partials for HTML, and with those for plain text. */
export function getCompiledTemplate(template: TemplateName): CompiledTemplate {
  compiledTemplates ??= compileAll();
  const found = compiledTemplates.get(template);
  if (found === undefined) throw new Error(`mailer: no template ${template}`);
  return found;
}

/** Reads and compiles every template, so that a broken one prevents the start instead of failing at a mail. */
export function compileAll(): Map<TemplateName, CompiledTemplate> {
  const html = createEnvironment("html");
  const text = createEnvironment("text");
  // Strict: a missing value throws. Only the helpers below and Handlebars' own can be called.
  const options = {
    strict: true,
    knownHelpersOnly: true,
    knownHelpers: {
      t: true,
      common: true,
      shared: true,
      quoted: true,
      money: true,
      look: true,
      layout: true,
    },
  };
  return new Map(
    templateNames.map((name) => {
      const source = readFileSync(join(emailsFolder, `${name}.hbs`), "utf8");
      checkNames(name, source, Object.keys(html.partials));
      return [
        name,
        { html: html.compile(source, options), text: text.compile(source, { ...options, noEscape: true }) },
      ];
    }),
  );
}

/** Throws for a name that is no value of the template: strict mode does not check the arguments of partials, helpers and conditions. */
export function checkNames(template: TemplateName, source: string, partials: string[]): void {
  const known = new Set([
    "t",
    "common",
    "shared",
    "if",
    ...partials,
    ...Object.keys(templateSchemas[template].shape),
    ...derivedNames(template),
  ]);
  const visitor = new Handlebars.Visitor();
  visitor.PathExpression = ({ original }) => {
    if (!known.has(original)) throw new Error(`emails/${template}.hbs: ${original} is none of its values`);
  };
  visitor.accept(Handlebars.parse(source));
}

function createEnvironment(dress: "html" | "text"): typeof Handlebars {
  const made = Handlebars.create();
  const partials = join(emailsFolder, "partials", dress);
  for (const file of readdirSync(partials)) {
    made.registerPartial(basename(file, ".hbs"), readFileSync(join(partials, file), "utf8"));
  }
  // {{t "body" role}} is the text mail.<template>.body.<role>; {{common "footer"}} is a text that all mails share.
  made.registerHelper("t", (...args: unknown[]) => {
    const { root, path } = readHelperCall(args);
    return localText(root.language, `mail.${root.template}.${path}`, root, root.own);
  });
  made.registerHelper("common", (...args: unknown[]) => {
    const { root, path } = readHelperCall(args);
    return localText(root.language, `mail.common.${path}`, root, root.own);
  });
  // {{shared "status" state}} is the text status.<state>, which pages show too.
  made.registerHelper("shared", (...args: unknown[]) => {
    const { root, path } = readHelperCall(args);
    return localText(root.language, path, root);
  });
  // {{money state "ink"}} is a part of the look of a money state: its word, sign, ink or ground.
  made.registerHelper("money", (...args: unknown[]) => {
    const [state, part] = args as [MoneyName, keyof MoneyLook | "word"];
    if (part !== "word") return moneyLooks[state][part];
    return localText(readHelperCall(args).root.language, `money.${state}`, {});
  });
  // {{look "ink"}} is a value of the mail's look; {{> (layout)}} is the frame of its layout.
  made.registerHelper("look", (name: Exclude<keyof MailLook, "layout">, { data }) => data.root.look[name]);
  made.registerHelper("layout", ({ data }) => `frame-${data.root.look.layout}`);
  // In plain text, a user's text is quoted line by line, to distinguish it from Midman's own.
  made.registerHelper("quoted", (words: string) => (dress === "text" ? words.replace(/^/gm, "> ") : words));
  return made;
}

/** Reads a helper's arguments: the last one holds the template's data, the others form the key of a text. */
function readHelperCall(args: unknown[]): { root: Root & Record<string, unknown>; path: string } {
  const options = args.at(-1) as { data: { root: Root & Record<string, unknown> } };
  return { root: options.data.root, path: args.slice(0, -1).join(".") };
}
