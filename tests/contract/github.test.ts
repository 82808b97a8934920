import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkParts } from "../../scripts/check/check-parts.ts";
import { BUN } from "../../scripts/prepare.ts";
import {
  dependabotSchema,
  issueChooserSchema,
  issueFormSchema,
  pinnedAction,
  workflowSchema,
  wrongExpressions,
} from "../support/sources/github-schemas.ts";

/** The files of .github: nothing here can run GitHub, so their shape and what they refer to are compared with the tree. */

const root = join(import.meta.dir, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const parsed = (path: string) => Bun.YAML.parse(read(path));
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);

const workflows = filesIn(".github/workflows");
const forms = filesIn(".github/ISSUE_TEMPLATE").filter((path) => !path.endsWith("/config.yml"));

test("every file of .github is read by a test here", () => {
  const known = [
    ...workflows,
    ...forms,
    ".github/ISSUE_TEMPLATE/config.yml",
    ".github/dependabot.yml",
    ".github/pull_request_template.md",
  ];
  const there = [...new Bun.Glob(".github/**/*").scanSync({ cwd: root, dot: true })];
  expect(there.sort()).toEqual(known.sort());
});

describe("workflows", () => {
  test.each(workflows)(
    "%s has a known structure, few permissions and no expression with untrusted input",
    (path) => {
      const workflow = workflowSchema.parse(parsed(path));
      expect(wrongExpressions(workflow)).toEqual([]);
    },
  );

  test("each action is pinned to one commit everywhere, with its version beside it", () => {
    const used = workflows.flatMap((path) => [...read(path).matchAll(/uses: (\S+)(.*)$/gm)]);
    expect(used.length).toBeGreaterThan(workflows.length);
    for (const [line, action = "", comment] of used) {
      expect([line, pinnedAction.test(action)]).toEqual([line, true]);
      expect(comment).toMatch(/^ # v\d+\.\d+\.\d+$/);
    }
    const commits = Map.groupBy(used, ([, action = ""]) => action.split("@")[0]);
    for (const [action, lines] of commits) {
      expect([action, new Set(lines.map(([line]) => line)).size]).toEqual([action, 1]);
    }
  });

  test("the check runs the README's command, with the required Bun, on each push and pull request", () => {
    const { jobs, on } = workflowSchema.parse(parsed(".github/workflows/check.yml"));
    expect(on).toEqual({ push: { branches: ["main"] }, pull_request: null });
    const commands = Object.values(jobs).flatMap(({ steps }) =>
      steps.flatMap((step) => ("run" in step ? step.run : [])),
    );
    const check = 'npx bun run check --part "$PART"';
    expect(commands).toContain(check);
    expect(jobs.check?.strategy?.matrix).toEqual({ part: [...checkParts] });
    expect(read("README.md")).toContain("npx bun run check");
    expect(commands).toContain(`npm install --global bun@${BUN}`);
    expect(commands.indexOf(`npm install --global bun@${BUN}`)).toBeLessThan(commands.indexOf(check));
    const tools = [...read("scripts/check/test-tools.ts").matchAll(/\["(redis-server|haproxy)"\]/g)].map(
      ([, name = ""]) => name,
    );
    expect(tools.sort()).toEqual(["haproxy", "redis-server"]);
    for (const tool of tools) expect(commands.join("\n")).toMatch(new RegExp(`apt-get install .*${tool}`));
  });

  const workflow = {
    name: "planted",
    on: { push: { branches: ["main"] }, pull_request: null },
    permissions: { contents: "read" },
    concurrency: { group: "x", "cancel-in-progress": true },
    jobs: { one: { "runs-on": "ubuntu-24.04", "timeout-minutes": 5, steps: [{ run: "true" }] } },
  };
  const job = (change: object) => ({ ...workflow, jobs: { one: { ...workflow.jobs.one, ...change } } });
  const rejected: Array<[string, unknown]> = [
    ["a tag in place of a commit", job({ steps: [{ uses: "actions/checkout@v4" }] })],
    ["a step that runs and uses", job({ steps: [{ run: "true", uses: `a/b@${"0".repeat(40)}` }] })],
    ["an expression in a script", job({ steps: [{ run: `echo $${"{{ github.head_ref }}"}` }] })],
    ["a job without a time limit", job({ "timeout-minutes": undefined })],
    ["an image that moves", job({ "runs-on": "ubuntu-latest" })],
    ["a misspelt key", job({ step: [] })],
    ["a matrix of another shape", job({ strategy: { matrix: { part: "static" } } })],
    ["rights to write everywhere", { ...workflow, permissions: { contents: "write" } }],
    ["pull_request_target", { ...workflow, on: { ...workflow.on, pull_request_target: null } }],
  ];

  test.each(rejected)("%s is refused", (_, planted) => {
    expect(workflowSchema.safeParse(workflow).success).toBe(true);
    expect(workflowSchema.safeParse(planted).success).toBe(false);
  });

  test("an expression with untrusted text, another secret or a later step is detected", () => {
    const uses = `a/b@${"0".repeat(40)}`;
    const given = (expression: string) => ({ uses, with: { x: `$${`{{ ${expression} }}`}` } });
    const steps = [
      given("github.event.pull_request.title"),
      given("secrets.DEPLOY_KEY"),
      given("matrix.part"),
      given("matrix.other"),
      given("steps.later.outputs.tags"),
      { ...given("github.sha"), id: "later" },
      given("steps.later.outputs.tags"),
      given("github.ref_type == 'tag'"),
    ];
    const strategy = { "fail-fast": false, matrix: { part: ["one"] } };
    expect(wrongExpressions(workflowSchema.parse(job({ steps, strategy })))).toEqual([
      "github.event.pull_request.title",
      "secrets.DEPLOY_KEY",
      "matrix.other",
      "steps.later.outputs.tags",
    ]);
  });
});

describe("dependabot.yml", () => {
  const { updates } = dependabotSchema.parse(parsed(".github/dependabot.yml"));

  test("names each package ecosystem in the folder of its manifest", () => {
    const manifest = {
      npm: "package.json",
      "github-actions": ".github/workflows",
      docker: "Dockerfile",
      "docker-compose": "compose.yaml",
    };
    const ecosystems: string[] = updates.map((update) => update["package-ecosystem"]);
    expect(ecosystems.sort()).toEqual(Object.keys(manifest).sort());
    for (const update of updates) {
      const place = join(root, update.directory, manifest[update["package-ecosystem"]]);
      expect([place, existsSync(place)]).toEqual([place, true]);
    }
  });

  test("updates packages as often as docs/security/updates.md says", () => {
    const [npm] = updates.filter((update) => update["package-ecosystem"] === "npm");
    expect(npm?.schedule.interval).toBe("quarterly");
    expect(read("docs/security/updates.md")).toContain("updated every three months");
  });

  test("a misspelt key is refused", () => {
    const [first] = updates;
    expect(dependabotSchema.safeParse({ version: 2, updates: [{ ...first, shedule: {} }] }).success).toBe(
      false,
    );
  });
});

describe("issue templates", () => {
  test.each(forms)("%s is a form, and refers people who found a weakness to SECURITY.md", (path) => {
    const { body } = issueFormSchema.parse(parsed(path));
    const [first] = body;
    expect(first?.type === "markdown" && first.attributes.value).toContain("(../security/policy)");
    expect(existsSync(join(root, "SECURITY.md"))).toBe(true);
  });

  test("there are no blank issues", () => {
    issueChooserSchema.parse(parsed(".github/ISSUE_TEMPLATE/config.yml"));
    expect(issueChooserSchema.safeParse({ blank_issues_enabled: true }).success).toBe(false);
  });

  const ask = { type: "input", id: "a", attributes: { label: "A" } };
  const form = { name: "planted", description: "planted", labels: ["bug"], body: [ask] };
  const rejected: Array<[string, unknown]> = [
    ["a field without a label", { ...form, body: [{ ...ask, attributes: {} }] }],
    ["two fields with one id", { ...form, body: [ask, { ...ask, attributes: { label: "B" } }] }],
    ["two fields with one label", { ...form, body: [ask, { ...ask, id: "b" }] }],
    ["a kind of field that there is not", { ...form, body: [{ ...ask, type: "file" }] }],
    ["a form that asks for nothing", { ...form, body: [{ type: "markdown", attributes: { value: "x" } }] }],
    [
      "a list with one choice twice",
      {
        ...form,
        body: [{ type: "dropdown", id: "a", attributes: { label: "A", options: ["x", "x"] } }],
      },
    ],
  ];

  test.each(rejected)("%s is refused", (_, planted) => {
    expect(issueFormSchema.safeParse(form).success).toBe(true);
    expect(issueFormSchema.safeParse(planted).success).toBe(false);
  });
});

test("the pull request template names existing commands and files", () => {
  const text = read(".github/pull_request_template.md");
  expect(text).toContain("npx bun run check");
  const named = [...text.matchAll(/`([\w./-]+\/[\w./-]*)`/g)].map(([, path = ""]) => path);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
