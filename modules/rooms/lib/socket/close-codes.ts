/** Close codes of a socket. Clients reconnect after any but 44xx; after 4429 they reconnect much later. */
export const closeCodes = {
  malformed: 4400,
  noSession: 4401,
  consentRequired: 4402,
  notTheUser: 4403,
  notAMember: 4404,
  flood: 4429,
  failure: 1011,
  restart: 1012,
} as const;
