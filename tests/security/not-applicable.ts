/**
 * Requirements that have nothing here to apply to, each with its reason. `SECURITY.md` holds the same as a table
 * (`bun tests/security/write-table.ts` writes it); `complete.test.ts` compares the two.
 */
export const notApplicable: Readonly<Record<string, string>> = {
  // V1 to V5
  "1.2.6": "No directory service is spoken to.",
  "1.2.7": "No XML is queried.",
  "1.2.8": "Nothing is typeset by LaTeX.",
  "1.3.8": "No Java and no JNDI.",
  "1.3.9": "No memcache.",
  "3.5.4": "One application serves the host; the sandbox beside it is of trials alone (15.2.3).",
  "4.3.1": "No GraphQL.",
  "4.3.2": "No GraphQL.",
  "4.4.3": "Sockets use the session of the pages (4.4.2, 7.2.1).",
  "4.4.4": "Sockets use the session of the pages, and have no token of their own.",
  // V6 to V11
  // V12, V13
  "12.1.3": "No client certificates are taken; nobody is known by one.",
  // V14
  // V15, V16
  // V17
};
