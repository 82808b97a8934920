import { notFound } from "#app/http/pages";
import { config } from "#config";
import { Gallery } from "../components/design/gallery.tsx";

/** Every component in each of its states; there is no such page but in development. */
export function loader() {
  if (config().NODE_ENV !== "development") throw notFound();
  return null;
}

export const meta = () => [{ title: "/design" }];

export default Gallery;
