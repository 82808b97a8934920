import { NotFound } from "../components/error-card.tsx";
import { notFound } from "../http/pages.ts";

/** Any path that is no page of ours. */
export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

export default NotFound;
