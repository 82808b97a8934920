import { notFound } from "#app/server/pages/page-context";
import { config } from "#config";
import { Gallery } from "./gallery.tsx";

/** Every component in each of its states; the page exists in development only. */
export function loader() {
  if (config().NODE_ENV !== "development") throw notFound("page");
  return null;
}

export const meta = () => [{ title: "/design" }];

export default Gallery;
