import { notFound } from "#app/http/pages";
import { NotFound } from "../components/error-card.tsx";

/** Any path that is no page of ours. */
export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

export default NotFound;
