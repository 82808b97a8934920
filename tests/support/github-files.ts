import { z } from "zod";

/** Shapes of the files in .github, as far as Midman uses them; a key that GitHub does not know is refused. */

const text = z.string().min(1);
const access = z.enum(["read", "write", "none"]);
const permissions = z.strictObject({
  contents: access.optional(),
  packages: access.optional(),
  "id-token": access.optional(),
  attestations: access.optional(),
});

/** Actions are pinned to a commit: a tag can be moved to other code. */
export const pinnedAction = /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/;

const about = { name: text.optional(), id: text.optional(), if: text.optional() };
const env = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.union([z.string(), z.number()]));
const value = z.union([z.string(), z.number(), z.boolean()]);
const step = z.union([
  z.strictObject({ ...about, uses: z.string().regex(pinnedAction), with: z.record(text, value).optional() }),
  // An expression in a script is pasted into it before the shell reads it: a title or branch name could be a command.
  z.strictObject({
    ...about,
    run: text.refine((script) => !script.includes("${{"), "pass expressions in env"),
    env: env.optional(),
  }),
]);

/** A workflow: least permissions, a fixed image, a time limit for each job. */
export const workflowSchema = z.strictObject({
  name: text,
  on: z.strictObject({
    push: z
      .strictObject({ branches: z.array(text).min(1) })
      .or(z.strictObject({ tags: z.array(text).min(1) })),
    // Not pull_request_target, which runs with the rights of the repository. Without filters its value is empty.
    pull_request: z.strictObject({ paths: z.array(text).min(1) }).nullable(),
  }),
  permissions: z.strictObject({ contents: z.literal("read") }),
  concurrency: z.strictObject({ group: text, "cancel-in-progress": z.union([z.boolean(), text]) }),
  jobs: z.record(
    z.string().regex(/^[a-z][\w-]*$/),
    z.strictObject({
      "runs-on": z.string().regex(/^ubuntu-\d\d\.04$/),
      "timeout-minutes": z.int().min(1).max(360),
      permissions: permissions.optional(),
      steps: z.array(step).min(1),
    }),
  ),
});

export type Workflow = z.infer<typeof workflowSchema>;

/** What is wrong with the expressions of a workflow: each may name `github`, the token, or the output of an earlier step. */
export function wrongExpressions({ jobs }: Pick<Workflow, "jobs">): string[] {
  const allowed = /^(?:github\.(?:actor|ref|ref_name|ref_type|repository|sha)|secrets\.GITHUB_TOKEN)$/;
  return Object.values(jobs).flatMap(({ steps }) =>
    steps.flatMap((one, index) => {
      const before = new Set(steps.slice(0, index).flatMap(({ id }) => id ?? []));
      const values = "uses" in one ? Object.values(one.with ?? {}) : Object.values(one.env ?? {});
      return [...values.join("\n").matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)]
        .flatMap(([, expression = ""]) => expression.split(/\s*(?:==|&&|\|\|)\s*/))
        .filter((operand) => !/^'[^']*'$/.test(operand) && !allowed.test(operand))
        .filter((operand) => !before.has(/^steps\.([\w-]+)\.outputs\.\w+$/.exec(operand)?.[1] ?? ""));
    }),
  );
}

const schedule = z.strictObject({ interval: z.enum(["daily", "weekly", "monthly", "quarterly"]) });
const group = z.strictObject({
  "applies-to": z.enum(["version-updates", "security-updates"]).optional(),
  patterns: z.array(text).min(1),
  "update-types": z
    .array(z.enum(["major", "minor", "patch"]))
    .min(1)
    .optional(),
});
const ignored = z.strictObject({
  "dependency-name": text,
  "update-types": z.array(
    z.enum(["version-update:semver-major", "version-update:semver-minor", "version-update:semver-patch"]),
  ),
});

/** dependabot.yml. */
export const dependabotSchema = z.strictObject({
  version: z.literal(2),
  updates: z
    .array(
      z.strictObject({
        "package-ecosystem": z.enum(["npm", "github-actions", "docker", "docker-compose"]),
        directory: z.string().regex(/^\//),
        schedule,
        cooldown: z.strictObject({ "default-days": z.int().min(1).max(90) }).optional(),
        "versioning-strategy": z.enum(["auto", "increase", "increase-if-necessary", "widen"]).optional(),
        groups: z.record(text, group).optional(),
        ignore: z.array(ignored).min(1).optional(),
      }),
    )
    .min(1),
});

const validations = z.strictObject({ required: z.boolean() }).optional();
const id = z.string().regex(/^[\w-]+$/);
const asked = { label: text, description: text.optional() };
const distinct = (list: string[]) => new Set(list).size === list.length;
const field = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: text }) }),
  z.strictObject({
    type: z.literal("input"),
    id,
    attributes: z.strictObject({ ...asked, placeholder: text.optional() }),
    validations,
  }),
  z.strictObject({
    type: z.literal("textarea"),
    id,
    attributes: z.strictObject({ ...asked, placeholder: text.optional(), render: text.optional() }),
    validations,
  }),
  z.strictObject({
    type: z.literal("dropdown"),
    id,
    attributes: z.strictObject({
      ...asked,
      multiple: z.boolean().optional(),
      options: z.array(text).min(1).refine(distinct, "options repeat"),
    }),
    validations,
  }),
]);

/** A form for issues. */
export const issueFormSchema = z.strictObject({
  name: text,
  description: text,
  labels: z.array(text).min(1),
  body: z
    .array(field)
    .refine((fields) => fields.some(({ type }) => type !== "markdown"), "asks for nothing")
    .refine((fields) => distinct(fields.flatMap((one) => ("id" in one ? one.id : []))), "ids repeat")
    .refine(
      (fields) => distinct(fields.flatMap((one) => ("label" in one.attributes ? one.attributes.label : []))),
      "labels repeat",
    ),
});

/** The chooser of issue forms. */
export const issueChooserSchema = z.strictObject({ blank_issues_enabled: z.literal(false) });
