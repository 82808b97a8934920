const document =
  "That the document says it, its figures compared with the code; not that it is complete or wise.";
const words = "That the document says it; not that it is complete or wise.";
const searched =
  "Found by a search of the sources; another way to the same thing has to be added to the search.";

/**
 * Requirements whose test shows less than the requirement asks, each with what is left: another's to keep, or nothing that a test here can
 * break. `SECURITY.md` holds the same as a table (`bun tests/security/write-table.ts` writes it).
 */
export const unproved: Readonly<Record<string, string>> = {
  "1.2.5": searched,
  "1.3.2": `${searched} What runs while the test talks to Midman is watched.`,
  "1.4.1":
    "The runtime and the library that decodes pictures keep their own memory; their updates are followed (15.2.1).",
  "1.4.3":
    "Files, sockets, rooms and transactions are counted; memory over days is measured by `bun run bench:soak`.",
  "1.5.1": "No package of the product parses XML; the test breaks only by adding one.",
  "1.5.2": searched,
  "2.1.1": document,
  "2.1.2": words,
  "2.1.3": document,
  "3.2.2": `${searched} A room's page is looked at.`,
  "3.5.3":
    "What two links do when a person opens them is a known departure, and not tested as a part of this.",
  "3.5.5": searched,
  "3.7.1": "Seven pages and the sources are looked at.",
  "4.2.1": "The parser of HTTP is the runtime's; Midman's own part is to refuse bodies without a length.",
  "5.1.1": document,
  "6.1.1": document,
  "6.1.2": document,
  "6.1.3": words,
  "6.2.12": "Only the list that is carried along.",
  "6.3.2": "The names and passwords that are tried.",
  "7.1.1": document,
  "7.1.2": words,
  "8.1.1": words,
  "8.1.2": words,
  "9.2.4": "The token's life is set by the library; its audience is ours.",
  "11.1.1": words,
  "11.1.2": words,
  "11.2.1": searched,
  "11.3.1": searched,
  "11.4.1": searched,
  "12.1.1":
    "Between browsers and the proxy it is the operator's; the other end's choice counts for what Midman calls.",
  "12.1.2":
    "Between browsers and the proxy it is the operator's; where a called service has only older suites, one of them is used.",
  "12.2.1": "That the proxy ends TLS is the operator's.",
  "12.2.2": "That the proxy's certificate is publicly trusted is the operator's.",
  "13.1.1": words,
  "13.2.1":
    "That Postgres, Redis and the mail server ask for a password is theirs; one that is wrong is shown for Postgres.",
  "13.2.4": `${searched} What a firewall lets out is the operator's.`,
  "13.3.1": "Where the operator keeps secrets.",
  "13.4.1":
    "That the folder is put in place without `.git` is the operator's; nothing of it is served in any case.",
  "13.4.4": "A proxy in front may answer TRACE by itself.",
  "14.1.1": words,
  "14.1.2": words,
  "14.2.2": "What a proxy keeps although it is told not to.",
  "15.1.1": words,
  "15.1.2": "That a package is what its digest says it is was looked at by nobody.",
  "15.1.3": words,
  "15.2.1": "That updates are put in place in time is the operator's.",
  "16.1.1": words,
  "16.2.2": "That the machine's clock is right is the operator's.",
  "16.4.2": "Who owns the database can take its triggers away; the chain shows it (`bun run audit:verify`).",
  "16.4.3": "That the lines are sent to another machine is the operator's.",
};
