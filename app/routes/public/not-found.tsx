import { notFound } from "#app/server/pages/page-context";

/** Any path that is no page of ours; the root's error boundary shows it. */
export function loader() {
  throw notFound();
}

export function action() {
  throw notFound();
}

export default function NotFound() {
  return null;
}
