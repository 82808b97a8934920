import { notFound } from "#app/server/pages/page-context";

/** Any path that is not a page; the root's error boundary shows it. */
export function loader() {
  throw notFound("page");
}

export function action() {
  throw notFound("page");
}

export default function NotFound() {
  return null;
}
