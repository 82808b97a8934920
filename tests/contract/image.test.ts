import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { contextOf } from "../image/context.ts";
import { configAfter, emptyConfig, type ImageConfig, readDockerfile } from "../image/dockerfile.ts";
import { lintDockerfile } from "../image/lint.ts";

/** What can be held of the image without building it; `bun run image:prove` builds and runs it. */

const root = join(import.meta.dir, "..", "..");
const stages = readDockerfile(join(root, "Dockerfile"));
const image = stages.at(-1);
const config = (image?.steps ?? []).reduce<ImageConfig>(
  (so, step) => configAfter(so, step) ?? so,
  emptyConfig,
);
const settings = [
  ...readFileSync(join(root, "config.ts"), "utf8").matchAll(/^ {2}([A-Z][A-Z0-9_]+): /gm),
].map(([, name = ""]) => name);

type Service = {
  environment?: Record<string, string>;
  read_only?: boolean;
  cap_drop?: string[];
  ports?: string[];
  tmpfs?: string;
  stop_grace_period?: string;
  image?: string;
  build?: unknown;
  pull_policy?: string;
  logging?: { options?: Record<string, string> };
};
const compose = Bun.YAML.parse(readFileSync(join(root, "deploy/compose.yaml"), "utf8")) as {
  services: Record<string, Service>;
};

describe("the Dockerfile", () => {
  test("has no linter warnings", () => {
    expect(lintDockerfile(join(root, "Dockerfile"))).toEqual([]);
  });

  test("runs as an unprivileged user, by number, and receives signals through tini", () => {
    expect(config.user).toMatch(/^[1-9]\d+:[1-9]\d+$/);
    expect(config.entrypoint).toEqual(["tini", "--"]);
    expect(config.command).toEqual(["bun", "app/server.ts"]);
    expect([config.stopSignal, config.volumes]).toEqual(["SIGTERM", ["/data"]]);
    expect(config.health).toEqual(["bun", "scripts/healthy.ts"]);
  });

  test("sets only known settings, and no secret", () => {
    const { PATH: _path, BUN_RUNTIME_TRANSPILER_CACHE_PATH: _cache, ...given } = config.environment;
    expect(Object.keys(given).filter((name) => !settings.includes(name))).toEqual([]);
    expect(given).toEqual({ NODE_ENV: "production", HOST: "0.0.0.0", PORT: "3000", DATA_DIR: "/data" });
  });

  test("uses the tested Bun, by its checksum, and downloads nothing else by address", () => {
    const prepare = readFileSync(join(root, "scripts/prepare.ts"), "utf8");
    const version = /BUN = "([\d.]+)"/.exec(prepare)?.[1] ?? "";
    const steps = stages.flatMap((stage) => stage.steps);
    const bun = steps.find(({ text }) => text.includes("npm install"))?.text ?? "";
    expect(bun).toContain(` bun@${version} `);
    expect(bun).toMatch(/amd64\) sum=[0-9a-f]{64} ;; arm64\) sum=[0-9a-f]{64} ;; .* \| sha256sum --check$/);
    expect(
      steps.map(({ name, text }) => `${name} ${text}`).filter((step) => /:\/\/|^ADD /.test(step)),
    ).toEqual([]);
    // From the stage with npm the image has that one file.
    const taken = steps.filter(({ flags }) => flags.from === "npm").map(({ text }) => text);
    expect(taken).toEqual(["/usr/local/bun /usr/local/bin/bun"]);
  });
});

test("the builder gets what the image is made of: no tests, data, settings or git files", () => {
  const sent = contextOf(root);
  expect(sent).toContain("app/server.ts");
  expect(sent).toContain("patches/postgres@3.4.9.patch");
  expect(sent).toContain("bun.lockb");
  const barred = sent.filter((path) =>
    /(^|\/)(\.|node_modules|build|tests)(\/|$)|\.test\.tsx?$|\.env/.test(path),
  );
  expect(barred).toEqual([]);
  const copied = (image?.steps ?? []).filter(({ name, flags }) => name === "COPY" && !flags.from);
  for (const path of copied.flatMap(({ words }) => words.slice(0, -1))) {
    expect([path, sent.some((one) => one === path || one.startsWith(`${path}/`))]).toEqual([path, true]);
  }
});

describe("the example", () => {
  test("has two instances that write only to their volume, and one entrance", () => {
    const instances = ["app-1", "app-2"].map((name) => compose.services[name]);
    for (const one of instances) {
      expect(one).toMatchObject({
        read_only: true,
        cap_drop: ["ALL"],
        tmpfs: "/tmp",
        stop_grace_period: "40s",
      });
    }
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(["proxy"]);
  });

  test("uses existing settings", () => {
    const given = Object.keys(compose.services["app-1"]?.environment ?? {});
    const example = readFileSync(join(root, "deploy/example.env"), "utf8");
    const named = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map(([, name = ""]) => name);
    expect(named.length).toBeGreaterThan(15);
    const unknown = [...given, ...named].filter((name) => !settings.includes(name));
    expect(unknown.filter((name) => !/^POSTGRES_/.test(name))).toEqual(["MIDMAN_VERSION"]);
  });

  test("runs one version, named in .env and equal to this release in the example, and never builds or fetches another", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
    const example = readFileSync(join(root, "deploy/example.env"), "utf8");
    expect(example).toContain(`\nMIDMAN_VERSION=${version}\n`);
    for (const name of ["app-1", "app-2"]) {
      const one = compose.services[name];
      expect(one?.image).toMatch(/^midman:\$\{MIDMAN_VERSION:\?/);
      expect([one?.pull_policy, one?.build]).toEqual(["never", undefined]);
    }
    const images = Object.values(compose.services).map(({ image }) => image ?? "");
    expect(images.filter((image) => !/:(\d|\$\{MIDMAN_VERSION:\?)/.test(image))).toEqual([]);
  });

  test("keeps a bounded log of every container", () => {
    for (const [name, { logging }] of Object.entries(compose.services)) {
      expect([name, logging?.options?.["max-size"], logging?.options?.["max-file"]]).toEqual([
        name,
        "50m",
        "10",
      ]);
    }
  });

  test("its proxy checks /readyz, repeats only reads, writes the forwarded headers itself and hides the metrics", () => {
    const proxy = readFileSync(join(root, "deploy/haproxy.cfg"), "utf8");
    const [, reads = "", writes = "", living = ""] = proxy.split(/^backend /m);
    expect(reads).toContain("http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host localhost");
    expect(reads).toMatch(/^ {2}retries 1$/m);
    expect(writes).toMatch(/^ {2}retries 0$/m);
    expect(living).toContain("http-check send meth GET uri /healthz ver HTTP/1.1 hdr Host localhost");
    expect(living).toMatch(/^ {2}retries 0$/m);
    expect(writes + living).not.toContain("retry-on");
    for (const header of ["X-Forwarded-For", "X-Forwarded-Proto"]) {
      expect(proxy).toContain(`http-request del-header ${header}`);
      expect(proxy).toContain(`http-request set-header ${header}`);
    }
    expect(proxy).toContain("deny_status 404 if { path /metrics }");
    expect(proxy).not.toMatch(/^\s*cache /m);
  });
});
