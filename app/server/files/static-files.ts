import { existsSync, readdirSync } from "node:fs";
import { join, relative, sep } from "node:path";

interface Asset {
  file: string;
  brotli: boolean;
}

/**
 * Serves the built files of `folder`. All names are read at start, so no request's path ever reaches the file system. Files under /assets/
 * carry a hash in their names and are cached for a year.
 */
export function indexStaticFiles(folder: string): (request: Request) => Response | undefined {
  const assets = new Map<string, Asset>();
  if (existsSync(folder)) {
    for (const item of readdirSync(folder, { withFileTypes: true, recursive: true })) {
      if (!item.isFile() || item.name.endsWith(".br")) continue;
      const file = join(item.parentPath, item.name);
      const path = `/${relative(folder, file).split(sep).join("/")}`;
      assets.set(path, { file, brotli: existsSync(`${file}.br`) });
    }
  }
  // Browsers request it unasked; the icon is the response unless a file of that name was built.
  const icon = assets.get("/icon.svg");
  if (icon !== undefined && !assets.has("/favicon.ico")) assets.set("/favicon.ico", icon);
  return (request) => {
    if (request.method !== "GET" && request.method !== "HEAD") return undefined;
    const { pathname } = new URL(request.url);
    const asset = assets.get(pathname);
    return asset && respondWithAsset(asset, pathname, request);
  };
}

function respondWithAsset(asset: Asset, path: string, request: Request): Response {
  const packed = asset.brotli && /\bbr\b/.test(request.headers.get("accept-encoding") ?? "");
  const headers = new Headers({
    "Content-Type": typeOf(asset.file),
    "Cache-Control": path.startsWith("/assets/")
      ? "public, max-age=31536000, immutable"
      : "public, max-age=3600",
    Vary: "Accept-Encoding",
  });
  if (packed) headers.set("Content-Encoding", "br");
  return new Response(Bun.file(packed ? `${asset.file}.br` : asset.file), { headers });
}

/** Bun sets the charset of texts, but not of SVG, which is XML. */
function typeOf(file: string): string {
  const { type } = Bun.file(file);
  return type === "image/svg+xml" ? `${type}; charset=utf-8` : type;
}
