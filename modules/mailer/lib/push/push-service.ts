import { config } from "#config";

/** The push services of current browsers: Chrome, Edge and others; Firefox; Edge on Windows; Safari. */
const knownServiceHosts = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "notify.windows.com",
  "push.apple.com",
];

/**
 * True if an endpoint is a push service. Browsers send endpoints and Midman's server calls them: it calls only https at the known hosts, so
 * that nobody can make it call addresses inside its own network (SSRF). PUSH_HOSTS adds hosts, as host or host:port; those on loopback may
 * use plain http.
 */
export function isPushService(endpoint: string): boolean {
  const url = URL.parse(endpoint);
  if (url === null || url.username !== "" || url.password !== "" || url.hash !== "") return false;
  if (readExtraHosts().includes(url.host)) return url.protocol === "https:" || isLoopback(url.hostname);
  if (url.protocol !== "https:" || url.port !== "") return false;
  return knownServiceHosts.some((host) => url.hostname === host || url.hostname.endsWith(`.${host}`));
}

function readExtraHosts(): string[] {
  return config()
    .PUSH_HOSTS.split(",")
    .map((host) => host.trim().toLowerCase())
    .filter((host) => host !== "");
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "127.0.0.1" || host === "[::1]";
}
