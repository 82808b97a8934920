import { publicUrl } from "#config";

/**
 * The relying party of passkeys: the host of PUBLIC_URL, and the only origin from which they are accepted. Browsers refuse an IP address as
 * a host; on such a test installation the pages show no passkey button.
 */
export function relyingParty(): { name: string; id: string; origin: string } {
  const { hostname, origin } = new URL(publicUrl());
  return { name: "Midman", id: hostname, origin };
}
