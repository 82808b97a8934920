import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/**
 * An island: its HTML comes from a render of its own, with the prefix that hydration repeats, since inside the
 * page's tree its `useId` values would not match. Props must be plain JSON.
 */
export function Island(props: {
  name: string;
  of: ReactElement<object>;
  script: string;
  className?: string;
}) {
  const html = renderToString(props.of, { identifierPrefix: `${props.name}-` });
  return (
    <>
      <div
        data-island={props.name}
        data-props={JSON.stringify(props.of.props)}
        className={props.className}
        // biome-ignore lint/security/noDangerouslySetInnerHtml: React wrote it a line above, escaped
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <script type="module" src={props.script} />
    </>
  );
}
