import { currentTime } from "#db/clock";
import { createTokenBucket } from "#db/throttle/token-bucket";
import { ipOf, networkPrefixOf } from "#modules/identity";

/**
 * What one address may ask for in all, whatever it is: 1,000 requests at once, 100 a second for good. Whole neighbourhoods
 * share one mobile address, so it is far above what people do, and only keeps one machine from taking this one from
 * everybody else; what is dear has throttles of its own. In memory, for it comes before anything is looked up.
 */
const requestBucket = createTokenBucket<string>(1_000, 10);

/**
 * What one address may bring in all, in pieces of 64 KB: 16 MB at once, 1 MB a second for good; a smaller body counts for nothing. People's
 * forms and messages are a few kilobytes. A megabyte costs milliseconds whatever is in it, and ten machines that send nothing
 * else would have everybody wait for seconds. Pictures of more than a megabyte have a pace of their own.
 */
const pieceBytes = 64 * 1024;
const largestCountedPieces = 16;
const uploadBucket = createTokenBucket<string>(256, 16);

/** Zero when an address may ask on, else the seconds until it may. `ip` is the peer's address as the server knows it. */
export function takeEdgeTokens(request: Request, ip: string | undefined): number {
  const place = networkPrefixOf(ipOf(request, ip));
  const wait = requestBucket.take(place, currentTime());
  const pieces = Math.floor(Number(request.headers.get("content-length") ?? 0) / pieceBytes);
  if (wait > 0 || !(pieces > 0 && pieces <= largestCountedPieces)) return wait;
  return uploadBucket.take(place, currentTime(), pieces);
}
