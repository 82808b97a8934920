import { activitySearch, daysBetween } from "#forms/identity";
import { type ActivityFilter, findPeopleByIdOrName } from "#modules/identity";
import type { NamedPerson } from "#views/identity";

/** The most people offered if several names begin with the search text. */
const mostOffered = 8;

/**
 * Reads the search in the log's address. `filter` is null while it is not clear whose entries are wanted: `people` are then the candidates,
 * empty if no name matches.
 */
export async function logFilter(request: Request) {
  const search = activitySearch.parse(Object.fromEntries(new URL(request.url).searchParams));
  const people = search.user === undefined ? [] : await findPeopleByIdOrName(search.user, mostOffered);
  const id = search.user === undefined ? undefined : idOf(search.user, people);
  const filter: ActivityFilter | null =
    search.user !== undefined && id === undefined
      ? null
      : { userId: id, action: search.action, ipAddress: search.ip, ...daysBetween(search) };
  return { search, filter, people };
}

/**
 * The id if exactly one person matches. A number that matches nobody is taken as an id, because entries may be of an id that no longer
 * exists.
 */
function idOf(words: string, people: NamedPerson[]): number | undefined {
  if (people.length === 0 && /^[1-9]\d{0,14}$/.test(words)) return Number(words);
  return people.length === 1 ? people[0]?.id : undefined;
}
