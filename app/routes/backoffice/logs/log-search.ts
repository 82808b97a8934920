import { activitySearch, daysBetween } from "#forms/identity";
import { type ActivityFilter, findPeopleByIdOrName, type NamedPerson } from "#modules/identity";

/** As many people are offered where several have a name that begins so. */
const mostOffered = 8;

/**
 * What the log's address asks for, in the log's own terms. `filter` is null while it is not clear whose entries are wanted:
 * `people` are then those who may be meant, nobody where there is none of that name.
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

/** The only one who is meant; entries may be of an id that nobody has. */
function idOf(words: string, people: NamedPerson[]): number | undefined {
  if (people.length === 0 && /^[1-9]\d{0,14}$/.test(words)) return Number(words);
  return people.length === 1 ? people[0]?.id : undefined;
}
