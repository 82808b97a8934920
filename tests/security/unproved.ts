const document =
  "The test compares the page's figures with the code. It does not show that the page is complete or the rule sensible.";
const words = "The test reads the page. It does not show that the page is complete or the rule sensible.";
const searched =
  "The test searches the sources. Another way to the same result has to be added to the search.";

/**
 * Requirements whose test shows less than the requirement asks, each with the part that is left: someone else provides it, or no test here
 * can break it. `docs/security/asvs.md` shows the same as a table (`bun tests/security/write-table.ts` writes it).
 */
export const unproved: Readonly<Record<string, string>> = {
  "1.2.5": searched,
  "1.3.2": `${searched} It also watches what runs while it talks to Midman.`,
  "1.4.1":
    "The runtime and the picture library manage their own memory; Midman follows their updates (15.2.1).",
  "1.4.3":
    "The test counts files, sockets, rooms and transactions; `bun run bench:soak` measures memory over time.",
  "1.5.1": "No package of the product parses XML; the test fails only when one is added.",
  "1.5.2": searched,
  "2.1.1": document,
  "2.1.2": words,
  "2.1.3": document,
  "3.2.2": `${searched} It also examines a room's page.`,
  "3.5.3": "The two links that do something when opened are a deviation, which this test does not cover.",
  "3.5.5": searched,
  "3.7.1": "The test examines seven pages and the sources.",
  "4.2.1": "The runtime parses HTTP; Midman's own part is to refuse bodies without a length.",
  "5.1.1": document,
  "6.1.1": document,
  "6.1.2": document,
  "6.1.3": words,
  "6.2.12": "The test covers only the list that Midman ships.",
  "6.3.2": "The test covers only the names and passwords that it tries.",
  "7.1.1": document,
  "7.1.2": words,
  "8.1.1": words,
  "8.1.2": words,
  "9.2.4": "The library sets the token's lifetime; Midman sets its audience.",
  "11.1.1": words,
  "11.1.2": words,
  "11.2.1": searched,
  "11.3.1": searched,
  "11.4.1": searched,
  "12.1.1":
    "The operator provides it between browsers and the proxy; for Midman's own calls the other end has a say.",
  "12.1.2":
    "The operator provides it between browsers and the proxy; with a service that has only older suites, Midman uses one of them.",
  "12.2.1": "The operator ensures that the proxy ends TLS.",
  "12.2.2": "The operator ensures that the proxy's certificate is publicly trusted.",
  "13.1.1": words,
  "13.2.1":
    "Postgres, Redis and the mail server ask for the password; the test shows a wrong one only for Postgres.",
  "13.2.4": `${searched} The operator decides what a firewall lets out.`,
  "13.3.1": "The test does not show where the operator keeps secrets.",
  "13.4.1": "The operator installs the folder without `.git`; Midman serves nothing from it in any case.",
  "13.4.4": "A proxy in front may answer TRACE itself.",
  "14.1.1": words,
  "14.1.2": words,
  "14.2.2": "A proxy may cache what it is told not to cache.",
  "15.1.1": words,
  "15.1.2": "Nobody has reviewed the content of the packages behind the digests.",
  "15.1.3": words,
  "15.2.1": "The operator installs updates in time.",
  "16.1.1": words,
  "16.2.2": "The operator keeps the machine's clock right.",
  "16.4.2":
    "The owner of the database can remove its triggers; the chain reveals it (`bun run audit:verify`).",
  "16.4.3": "The operator sends the lines to another machine.",
};
