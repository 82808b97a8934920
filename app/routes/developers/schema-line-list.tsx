import { useT } from "../../ui/frame/i18n.tsx";
import type { SchemaLine } from "./types.ts";

/** The parts of a request or response, each with its own parts below it. */
export function Lines({ lines }: { lines: readonly SchemaLine[] }) {
  return (
    <ul className="grid gap-2" lang="en">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a choice have no names, and the list never changes
        <li key={at} className="grid gap-1 border-l-2 border-line pl-3">
          <Part line={line} />
          {line.parts.length > 0 && <Lines lines={line.parts} />}
        </li>
      ))}
    </ul>
  );
}

function Part({ line }: { line: SchemaLine }) {
  const t = useT();
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
        <code className="font-mono font-bold wrap-anywhere">{line.name}</code>
        <span>{line.kind}</span>
        {line.bounds !== "" && <span className="font-mono text-quiet wrap-anywhere">{line.bounds}</span>}
        {line.optional && <span className="text-quiet">{t("developers.optional")}</span>}
      </p>
      {line.about !== "" && <p className="text-sm text-quiet">{line.about}</p>}
    </div>
  );
}
