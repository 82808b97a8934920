import { paths } from "../../paths.ts";
import { Card } from "../../ui/layout/card.tsx";
import type { CallGroup } from "./types.ts";

/** All API calls by group; each links to its own page. */
export function CallList({ groups }: { groups: readonly CallGroup[] }) {
  return (
    <div className="grid gap-6" lang="en">
      {groups.map(({ name, calls }) => (
        <Card key={name} title={name}>
          <ul className="grid gap-1">
            {calls.map(({ id, method, path, summary }) => (
              <li key={id} className="grid gap-x-4 border-b border-line py-1 last:border-0 lg:grid-cols-2">
                <a
                  href={paths.developersCall(id)}
                  className="flex min-h-11 items-center gap-2 font-mono text-sm text-brand wrap-anywhere lg:min-h-8"
                >
                  <strong>{method}</strong> {path}
                </a>
                <span className="text-sm text-quiet lg:self-center">{summary}</span>
              </li>
            ))}
          </ul>
        </Card>
      ))}
    </div>
  );
}
