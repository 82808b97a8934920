import type { ReactElement } from "react";

/** In place of `app/routes/room/island.tsx`: the element itself, for React Router's own hydration to take over. */
export function Island(props: {
  name: string;
  of: ReactElement<object>;
  script: string;
  className?: string;
}) {
  return <div className={props.className}>{props.of}</div>;
}
