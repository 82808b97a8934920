import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { configAfter, emptyConfig, type ImageConfig, readDockerfile } from "../image/dockerfile.ts";

/** The kit's manifests agree with each other, with the image and with the program; a cluster has not seen them. */

const root = join(import.meta.dir, "..", "..");
const folder = join(root, "deploy/kubernetes");

type Labels = Record<string, string>;
type Probe = { httpGet: { path: string; port: string }; periodSeconds: number; failureThreshold: number };
type Container = {
  image: string;
  args?: string[];
  ports?: Array<{ name: string; containerPort: number }>;
  env?: Array<{ name: string; value: string }>;
  envFrom: Array<{ secretRef: { name: string } }>;
  volumeMounts: Array<{ name: string; mountPath: string }>;
  securityContext: { readOnlyRootFilesystem: boolean; allowPrivilegeEscalation: boolean };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
};
type Pod = {
  metadata: { labels: Labels };
  spec: {
    containers: [Container];
    volumes: Array<{ name: string }>;
    terminationGracePeriodSeconds?: number;
    securityContext: { runAsUser: number; runAsGroup: number; runAsNonRoot: boolean };
  };
};
type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Record<string, unknown>;
};

const files = readdirSync(folder).filter((name) => name !== "kustomization.yaml");
const read = (name: string) => [Bun.YAML.parse(readFileSync(join(folder, name), "utf8"))].flat();
const all = files.flatMap((name) => read(name) as Manifest[]);
const [kustomization] = read("kustomization.yaml") as [
  { resources: string[]; images: Array<{ name: string; newTag: string }> },
];
/** The one manifest of a kind and name. */
function find<Spec>(kind: string, name = "midman"): Spec {
  const found = all.filter((one) => one.kind === kind && one.metadata.name === name);
  expect([kind, name, found.length]).toEqual([kind, name, 1]);
  return found[0]?.spec as Spec;
}

const deployment = find<{
  replicas: number;
  selector: { matchLabels: Labels };
  strategy: { rollingUpdate: { maxUnavailable: number } };
  template: Pod;
}>("Deployment");
const backup = find<{ jobTemplate: { spec: { template: Pod } } }>("CronJob", "midman-backup").jobTemplate.spec
  .template;
const [instance] = deployment.template.spec.containers;
const image = (readDockerfile(join(root, "Dockerfile")).at(-1)?.steps ?? []).reduce<ImageConfig>(
  (so, step) => configAfter(so, step) ?? so,
  emptyConfig,
);
const isPicked = (labels: Labels, by: Labels) =>
  Object.entries(by).every(([name, value]) => labels[name] === value);

test("every manifest is applied, with this release's image", () => {
  expect([...kustomization.resources].sort()).toEqual([...files].sort());
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(kustomization.images.map(({ name, newTag }) => [name, newTag])).toEqual([["midman", version]]);
  expect([instance.image, backup.spec.containers[0].image]).toEqual(["midman", "midman"]);
});

describe("an instance", () => {
  test("has probes at the program's paths, and enough time to migrate", () => {
    const paths = readFileSync(join(root, "app/server/health/health.ts"), "utf8");
    for (const [probe, path] of [
      [instance.startupProbe, "/healthz"],
      [instance.livenessProbe, "/healthz"],
      [instance.readinessProbe, "/readyz"],
    ] as const) {
      expect(probe?.httpGet).toEqual({ path, port: "http" });
      expect(paths).toContain(`"${path}"`);
    }
    const { periodSeconds = 0, failureThreshold = 0 } = instance.startupProbe ?? {};
    expect(periodSeconds * failureThreshold).toBeGreaterThanOrEqual(600);
    expect(instance.ports).toEqual([{ name: "http", containerPort: Number(image.environment.PORT) }]);
  });

  test("stops in its own time, and another is started before", () => {
    const drain = Number(instance.env?.find(({ name }) => name === "DRAIN_SECONDS")?.value);
    expect(drain).toBeLessThanOrEqual(15);
    expect(deployment.template.spec.terminationGracePeriodSeconds).toBeGreaterThanOrEqual(40);
    expect([deployment.replicas, deployment.strategy.rollingUpdate.maxUnavailable]).toEqual([2, 0]);
    expect(find<{ minAvailable: number }>("PodDisruptionBudget").minAvailable).toBe(1);
  });

  test("gets only existing settings", () => {
    const schema = readFileSync(join(root, "config.ts"), "utf8");
    for (const { name } of instance.env ?? []) expect(schema).toMatch(new RegExp(`^ {2}${name}: `, "m"));
  });
});

test("every pod runs as the image's user, writes only to its volumes, and has a volume wherever the image writes", () => {
  for (const { spec } of [deployment.template, backup]) {
    const [container] = spec.containers;
    expect(spec.securityContext).toMatchObject({ runAsNonRoot: true });
    expect(`${spec.securityContext.runAsUser}:${spec.securityContext.runAsGroup}`).toBe(image.user);
    expect(container.securityContext).toMatchObject({
      readOnlyRootFilesystem: true,
      allowPrivilegeEscalation: false,
    });
    const mounted = container.volumeMounts.map(({ mountPath }) => mountPath);
    for (const path of [...image.volumes, "/tmp"]) expect(mounted).toContain(path);
    const volumes = spec.volumes.map(({ name }) => name);
    expect(container.volumeMounts.map(({ name }) => name).sort()).toEqual(volumes.sort());
    expect(container.envFrom).toEqual([{ secretRef: { name: "midman" } }]);
  }
});

test("the backup runs an existing program, through the image's tini", () => {
  const [, program = ""] = backup.spec.containers[0].args ?? [];
  expect(readFileSync(join(root, program), "utf8")).toContain("--keep");
  expect(image.entrypoint).toEqual(["tini", "--"]);
});

test("services, budget and spread select the instances and not the backup", () => {
  const selectors = [
    find<{ selector: Labels }>("Service").selector,
    find<{ selector: Labels }>("Service", "midman-living").selector,
    find<{ selector: { matchLabels: Labels } }>("PodDisruptionBudget").selector.matchLabels,
    deployment.selector.matchLabels,
  ];
  for (const by of selectors) {
    expect(isPicked(deployment.template.metadata.labels, by)).toBe(true);
    expect(isPicked(backup.metadata.labels, by)).toBe(false);
  }
  const policy = find<{ podSelector: { matchLabels: Labels } }>("NetworkPolicy").podSelector.matchLabels;
  for (const { metadata } of [deployment.template, backup])
    expect(isPicked(metadata.labels, policy)).toBe(true);
});

test("the Ingress leads to ready instances, or otherwise to live ones", () => {
  type Backend = { service: { name: string; port: { name: string } } };
  const { rules } = find<{ rules: Array<{ http: { paths: Array<{ backend: Backend }> } }> }>("Ingress");
  expect(rules.flatMap(({ http }) => http.paths.map(({ backend }) => backend.service))).toEqual([
    { name: "midman", port: { name: "http" } },
  ]);
  const living = find<{ publishNotReadyAddresses?: boolean }>("Service", "midman-living");
  expect(living.publishNotReadyAddresses).toBe(true);
  expect(find<{ publishNotReadyAddresses?: boolean }>("Service").publishNotReadyAddresses).toBeUndefined();
  const file = readFileSync(join(folder, "ingress.yaml"), "utf8");
  expect(file).toContain("default-backend: midman-living");
  expect(file).toContain("proxy-body-size: 64m");
});
