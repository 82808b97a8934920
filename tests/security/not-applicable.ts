/**
 * Requirements that do not apply to Midman, each with its reason. `docs/security/asvs.md` shows the same as a table
 * (`bun tests/security/write-table.ts` writes it); `complete.test.ts` compares the two.
 */
export const notApplicable: Readonly<Record<string, string>> = {
  // V1 to V5
  "1.2.6": "Midman uses no directory service.",
  "1.2.7": "Midman queries no XML.",
  "1.2.8": "Midman does not use LaTeX.",
  "1.3.8": "Midman uses neither Java nor JNDI.",
  "1.3.9": "Midman does not use memcache.",
  "3.5.4": "One application serves the host; the sandbox exists only in trials (15.2.3).",
  "4.3.1": "Midman does not use GraphQL.",
  "4.3.2": "Midman does not use GraphQL.",
  "4.4.3": "Sockets use the session of the pages (4.4.2, 7.2.1).",
  "4.4.4": "Sockets use the session of the pages and have no token of their own.",
  // V6 to V11
  "6.6.1": "Midman sends no codes by SMS or phone.",
  "6.8.1": "Nobody signs in through an identity provider.",
  "6.8.2": "Midman accepts no assertion of an identity provider.",
  "6.8.3": "Midman does not use SAML.",
  "6.8.4": "Nobody signs in through an identity provider.",
  "7.1.3": "Sessions are Midman's own; none is federated.",
  "7.6.1": "No session depends on an identity provider.",
  "8.4.1": "There are no tenants; rooms and trades belong to their members (8.2.2).",
  "9.1.1":
    "Midman accepts no self-contained token: it looks sessions up (7.2.1) and passes the provider's tokens on unread.",
  "9.1.2": "Midman accepts no self-contained token.",
  "9.1.3": "Midman accepts no self-contained token.",
  "9.2.1": "Midman accepts no self-contained token; expiry times are in the database (7.3.2, 6.4.1).",
  "9.2.2": "Midman accepts no self-contained token.",
  "9.2.3": "Midman accepts no self-contained token.",
  "10.1.1":
    "Midman does not use OAuth: nobody signs in through another site, and QPay's token stays in the process.",
  "10.1.2":
    "Midman does not use OAuth: nobody signs in through another site, and QPay's token stays in the process.",
  "10.2.1": "Midman is not an OAuth client.",
  "10.2.2": "Midman is not an OAuth client.",
  "10.3.1": "Midman is not an OAuth resource server.",
  "10.3.2": "Midman is not an OAuth resource server.",
  "10.3.3": "Midman is not an OAuth resource server.",
  "10.3.4": "Midman is not an OAuth resource server.",
  "10.4.1": "Midman is not an OAuth authorization server.",
  "10.4.2": "Midman is not an OAuth authorization server.",
  "10.4.3": "Midman is not an OAuth authorization server.",
  "10.4.4": "Midman is not an OAuth authorization server.",
  "10.4.5": "Midman is not an OAuth authorization server.",
  "10.4.6": "Midman is not an OAuth authorization server.",
  "10.4.7": "Midman is not an OAuth authorization server.",
  "10.4.8": "Midman is not an OAuth authorization server.",
  "10.4.9": "Midman is not an OAuth authorization server.",
  "10.4.10": "Midman is not an OAuth authorization server.",
  "10.4.11": "Midman is not an OAuth authorization server.",
  "10.5.1": "Midman is not an OpenID client.",
  "10.5.2": "Midman is not an OpenID client.",
  "10.5.3": "Midman is not an OpenID client.",
  "10.5.4": "Midman is not an OpenID client.",
  "10.5.5": "Midman is not an OpenID client.",
  "10.6.1": "Midman is not an OpenID provider.",
  "10.6.2": "Midman is not an OpenID provider.",
  "10.7.1": "Midman asks for no consent on behalf of another application.",
  "10.7.2": "Midman asks for no consent on behalf of another application.",
  "10.7.3": "Midman asks for no consent on behalf of another application.",
  "11.4.4": "No key is derived from a password; keys are random (11.2.3).",
  // V12, V13
  "12.1.3": "Midman accepts no client certificates.",
  // V14
  // V15, V16
  // V17
  "17.1.1": "Midman runs no TURN server.",
  "17.2.1": "Midman does not use WebRTC.",
  "17.2.2": "Midman does not use WebRTC.",
  "17.2.3": "Midman does not use WebRTC.",
  "17.2.4": "Midman does not use WebRTC.",
  "17.3.1": "Midman does not use WebRTC; for floods of socket frames see 2.4.1 and 4.4.1.",
  "17.3.2": "Midman does not use WebRTC; for malformed socket frames see chapter 4.",
};
