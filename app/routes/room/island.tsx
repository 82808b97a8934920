import type { ReactElement } from "react";
import { renderToString } from "react-dom/server";

/**
 * An island. Its HTML comes from a separate render with the id prefix that hydration uses, because `useId` values from the page's tree
 * would not match. Props must be plain JSON.
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
        // biome-ignore lint/security/noDangerouslySetInnerHtml: React rendered it a line above, escaped
        dangerouslySetInnerHTML={{ __html: html }}
      />
      <script type="module" src={props.script} />
    </>
  );
}
