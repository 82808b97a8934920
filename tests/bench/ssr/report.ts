import { median, range, table, verdict, writeSection } from "../support/results.ts";
import type { NodeReference } from "./node.ts";

export type Counted = { replies: number; seconds: number; bytes: number };
/** One round: pages a second, processor µs a page, part of the core that was used, size of the page. */
export type Figure = { perSecond: number; cpuMicros: number; busy: number; bytes: number };
export type Candidate = { name: string; run(): Promise<Counted>; cpuMicros(): number; figures: Figure[] };

/** Writes the section of bench:ssr and shows it. Ratios are medians over the rounds, each against the same round. */
export function report(found: {
  about: string;
  ours: Candidate;
  tree: Candidate;
  reference: Candidate | undefined;
  node: NodeReference | Error;
  moved: number;
  shape: string;
}): void {
  const { ours, tree, reference, node } = found;
  const candidates = [ours, tree, ...(reference === undefined ? [] : [reference])];
  const verdicts = [
    ...against("bare `renderToString`", ours, tree, 0.5),
    ...(reference === undefined ? [] : against("react-router-serve", ours, reference, 2)),
  ];
  const missing =
    node instanceof Error ? `**The reference on Node is missing**: ${node.message.split("\n")[0]}` : "";
  const text = [
    `${found.about} ${node instanceof Error ? "" : `${node.versions}.`}`,
    method(found.shape, found.moved),
    missing,
    table(
      ["", "pages/s", "lowest–highest round", "server CPU-µs a page", "of its core", "bytes"],
      candidates.map(row),
    ),
    table(["ratio", "measured", "target", ""], verdicts),
  ];
  const section = text.filter((part) => part !== "").join("\n\n");
  writeSection("bench:ssr", section);
  console.log(section);
}

function method(shape: string, moved: number): string {
  return `\`GET /chat/{id}\`, a room of two with 50 messages and no trade yet, as its seller, no compression. ${shape}, the
candidates in turn; the table has the medians. Server on core 0, load on core 1${moved > 0 ? ", and there Postgres too" : ""}; Postgres' own time is in
no figure. Midman is the whole server: session, loaders, data from Postgres, HTML. The bare render is the same tree
(\`ServerRouter\`, layout, page, island) with the loaders' data given once, in a loop without HTTP. react-router-serve serves
the same routes, loaders and queries, bundled for Node, with stock \`<Scripts>\` hydration and no island.`;
}

function row({ name, figures }: Candidate): Array<string | number> {
  const of = (part: keyof Figure) => figures.map((figure) => figure[part]);
  const busy = `${(median(of("busy")) * 100).toFixed(0)} %`;
  const cpu = median(of("cpuMicros")).toFixed(0);
  return [
    name,
    median(of("perSecond")).toFixed(0),
    range(of("perSecond"), 0),
    cpu,
    busy,
    median(of("bytes")),
  ];
}

/** By pages a second, and by processor time a page: the latter stands also where others used the cores meanwhile. */
function against(name: string, ours: Candidate, other: Candidate, atLeast: number) {
  const rounds = ours.figures.flatMap((figure, round) => {
    const beside = other.figures[round];
    return beside === undefined ? [] : [{ figure, beside }];
  });
  const perSecond = median(rounds.map(({ figure, beside }) => figure.perSecond / beside.perSecond));
  const cpu = median(rounds.map(({ figure, beside }) => beside.cpuMicros / figure.cpuMicros));
  return [
    verdict(`pages/s of Midman ÷ ${name}`, perSecond, { atLeast }),
    verdict(`the same by CPU time: ${name} ÷ Midman`, cpu, { atLeast }),
  ];
}
