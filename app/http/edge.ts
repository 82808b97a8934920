import { bucket } from "#db/bucket";
import { now } from "#db/clock";
import { ipOf, neighbourhood } from "#modules/identity";

/**
 * What one address may ask for in all, whatever it is: 1,000 requests at once, 100 a second for good. Whole neighbourhoods
 * share one mobile address, so it is far above what people do, and only keeps one machine from taking this one from
 * everybody else; what is dear has throttles of its own. In memory, for it comes before anything is looked up.
 */
const pace = bucket<string>(1_000, 10);

/** Zero when an address may ask on, else the seconds until it may. `ip` is the peer's address as the server knows it. */
export function tooFast(request: Request, ip: string | undefined): number {
  return pace.take(neighbourhood(ipOf(request, ip)), now());
}
