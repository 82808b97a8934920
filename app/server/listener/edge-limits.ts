import { currentTime } from "#db/clock";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { ipOf, networkPrefixOf } from "#modules/identity";

/**
 * The total rate of requests from one address: a burst of 1,000, then 100 a second. Whole neighbourhoods share one mobile address, so the
 * limit is far above normal use and only keeps one machine from taking this server from everyone else; expensive actions have their own
 * throttles. In memory, because it comes before any look-up.
 */
const requestBucket = createTokenBucket<string>(1_000, 10);

/**
 * The total volume of bodies from one address, counted in pieces of 64 KB: a burst of 16 MB, then 1 MB a second; a smaller body counts as
 * nothing. People's forms and messages are a few kilobytes. Any megabyte costs milliseconds to process, and ten machines that send nothing
 * else would make everyone wait for seconds. Pictures above a megabyte have their own throttle.
 */
const pieceBytes = 64 * 1024;
const largestCountedPieces = 16;
const uploadBucket = createTokenBucket<string>(256, 16);

/**
 * Takes the tokens of a request. Returns 0 if the address may continue, otherwise the seconds to wait. `ip` is the peer's address as the
 * server knows it.
 */
export function takeEdgeTokens(request: Request, ip: string | undefined): number {
  const place = networkPrefixOf(ipOf(request, ip));
  const wait = requestBucket.take(place, currentTime());
  const pieces = Math.floor(Number(request.headers.get("content-length") ?? 0) / pieceBytes);
  if (wait > 0 || !(pieces > 0 && pieces <= largestCountedPieces)) return wait;
  return uploadBucket.take(place, currentTime(), pieces);
}
