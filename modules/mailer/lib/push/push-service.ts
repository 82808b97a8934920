import { config } from "#config";

/** The push services of the browsers there are: Chrome, Edge and others; Firefox; Edge on Windows; Safari. */
const knownServiceHosts = [
  "fcm.googleapis.com",
  "push.services.mozilla.com",
  "notify.windows.com",
  "push.apple.com",
];

/**
 * Whether an address leads to a push service. It comes from a browser and our server will call it: nothing but https to one of
 * the known hosts is ever called, so that nobody makes us knock at addresses inside our own network. PUSH_HOSTS names further
 * ones, by host or host:port; those on loopback may be plain http.
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
