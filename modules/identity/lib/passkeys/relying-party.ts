import { publicUrl } from "#config";

/**
 * Whom passkeys are made for: the host of PUBLIC_URL, and the one origin from which they are taken. Browsers refuse a host that is
 * an address of the internet protocol; on such a trial the pages show no button.
 */
export function relyingParty(): { name: string; id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl());
  return { name: "Midman", id: hostname, origin };
}
