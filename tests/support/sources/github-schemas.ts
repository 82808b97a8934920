import { z } from "zod";

/** Shapes of the files in .github, as far as Midman uses them; a key that GitHub does not know is refused. */

const textSchema = z.string().min(1);
const accessSchema = z.enum(["read", "write", "none"]);
const permissionsSchema = z.strictObject({
  contents: accessSchema.optional(),
  packages: accessSchema.optional(),
  "id-token": accessSchema.optional(),
  attestations: accessSchema.optional(),
});

/** Actions are pinned to a commit: a tag can be moved to other code. */
export const pinnedAction = /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/;

const stepFields = { name: textSchema.optional(), id: textSchema.optional(), if: textSchema.optional() };
const envSchema = z.record(z.string().regex(/^[A-Z][A-Z0-9_]*$/), z.union([z.string(), z.number()]));
const inputValueSchema = z.union([z.string(), z.number(), z.boolean()]);
const stepSchema = z.union([
  z.strictObject({
    ...stepFields,
    uses: z.string().regex(pinnedAction),
    with: z.record(textSchema, inputValueSchema).optional(),
  }),
  // An expression in a script is pasted into it before the shell reads it: a title or branch name could be a command.
  z.strictObject({
    ...stepFields,
    run: textSchema.refine((script) => !script.includes("${{"), "pass expressions in env"),
    env: envSchema.optional(),
  }),
]);

/** A workflow: least permissions, a fixed image, a time limit for each job. */
export const workflowSchema = z.strictObject({
  name: textSchema,
  on: z.strictObject({
    push: z
      .strictObject({ branches: z.array(textSchema).min(1) })
      .or(z.strictObject({ tags: z.array(textSchema).min(1) })),
    // Not pull_request_target, which runs with the rights of the repository. Without filters its value is empty.
    pull_request: z.strictObject({ paths: z.array(textSchema).min(1) }).nullable(),
  }),
  permissions: z.strictObject({ contents: z.literal("read") }),
  concurrency: z.strictObject({
    group: textSchema,
    "cancel-in-progress": z.union([z.boolean(), textSchema]),
  }),
  jobs: z.record(
    z.string().regex(/^[a-z][\w-]*$/),
    z.strictObject({
      "runs-on": z.string().regex(/^ubuntu-\d\d\.04$/),
      "timeout-minutes": z.int().min(1).max(360),
      strategy: z
        .strictObject({
          "fail-fast": z.boolean(),
          matrix: z.record(z.string().regex(/^[a-z]+$/), z.array(textSchema).min(1)),
        })
        .optional(),
      permissions: permissionsSchema.optional(),
      steps: z.array(stepSchema).min(1),
    }),
  ),
});

export type Workflow = z.infer<typeof workflowSchema>;

/** What is wrong with the expressions of a workflow: each may name `github`, the token, a key of the job's matrix, or the output of an earlier step. */
export function wrongExpressions({ jobs }: Pick<Workflow, "jobs">): string[] {
  const allowed = /^(?:github\.(?:actor|ref|ref_name|ref_type|repository|sha)|secrets\.GITHUB_TOKEN)$/;
  return Object.values(jobs).flatMap(({ steps, strategy }) =>
    steps.flatMap((one, index) => {
      const matrix = new Set(Object.keys(strategy?.matrix ?? {}).map((key) => `matrix.${key}`));
      const before = new Set(steps.slice(0, index).flatMap(({ id }) => id ?? []));
      const values = "uses" in one ? Object.values(one.with ?? {}) : Object.values(one.env ?? {});
      return [...values.join("\n").matchAll(/\$\{\{\s*(.*?)\s*\}\}/g)]
        .flatMap(([, expression = ""]) => expression.split(/\s*(?:==|&&|\|\|)\s*/))
        .filter((operand) => !/^'[^']*'$/.test(operand) && !allowed.test(operand) && !matrix.has(operand))
        .filter((operand) => !before.has(/^steps\.([\w-]+)\.outputs\.\w+$/.exec(operand)?.[1] ?? ""));
    }),
  );
}

const scheduleSchema = z.strictObject({ interval: z.enum(["daily", "weekly", "monthly", "quarterly"]) });
const groupSchema = z.strictObject({
  "applies-to": z.enum(["version-updates", "security-updates"]).optional(),
  patterns: z.array(textSchema).min(1),
  "update-types": z
    .array(z.enum(["major", "minor", "patch"]))
    .min(1)
    .optional(),
});
const ignoredUpdateSchema = z.strictObject({
  "dependency-name": textSchema,
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
        schedule: scheduleSchema,
        cooldown: z.strictObject({ "default-days": z.int().min(1).max(90) }).optional(),
        "versioning-strategy": z.enum(["auto", "increase", "increase-if-necessary", "widen"]).optional(),
        groups: z.record(textSchema, groupSchema).optional(),
        ignore: z.array(ignoredUpdateSchema).min(1).optional(),
      }),
    )
    .min(1),
});

const validationsSchema = z.strictObject({ required: z.boolean() }).optional();
const fieldIdSchema = z.string().regex(/^[\w-]+$/);
const questionFields = { label: textSchema, description: textSchema.optional() };
const areDistinct = (list: string[]) => new Set(list).size === list.length;
const formFieldSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), attributes: z.strictObject({ value: textSchema }) }),
  z.strictObject({
    type: z.literal("input"),
    id: fieldIdSchema,
    attributes: z.strictObject({ ...questionFields, placeholder: textSchema.optional() }),
    validations: validationsSchema,
  }),
  z.strictObject({
    type: z.literal("textarea"),
    id: fieldIdSchema,
    attributes: z.strictObject({
      ...questionFields,
      placeholder: textSchema.optional(),
      render: textSchema.optional(),
    }),
    validations: validationsSchema,
  }),
  z.strictObject({
    type: z.literal("dropdown"),
    id: fieldIdSchema,
    attributes: z.strictObject({
      ...questionFields,
      multiple: z.boolean().optional(),
      options: z.array(textSchema).min(1).refine(areDistinct, "options repeat"),
    }),
    validations: validationsSchema,
  }),
]);

/** A form for issues. */
export const issueFormSchema = z.strictObject({
  name: textSchema,
  description: textSchema,
  labels: z.array(textSchema).min(1),
  body: z
    .array(formFieldSchema)
    .refine((fields) => fields.some(({ type }) => type !== "markdown"), "asks for nothing")
    .refine((fields) => areDistinct(fields.flatMap((one) => ("id" in one ? one.id : []))), "ids repeat")
    .refine(
      (fields) =>
        areDistinct(fields.flatMap((one) => ("label" in one.attributes ? one.attributes.label : []))),
      "labels repeat",
    ),
});

/** The chooser of issue forms. */
export const issueChooserSchema = z.strictObject({ blank_issues_enabled: z.literal(false) });
