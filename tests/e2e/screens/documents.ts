import type { Screen } from "./screen.ts";

/** The documents that anyone may read. */
export const documentScreens: Screen[] = [
  { name: "terms", route: "terms-of-service", at: "/terms-of-service", public: true },
  { name: "privacy", route: "privacy-policy", at: "/privacy-policy", public: true },
  { name: "security-guide", route: "security-guide", at: "/security-guide", public: true },
  { name: "faq", route: "faq", at: "/faq", public: true },
  { name: "proof", route: "proof", at: "/proof", public: true },
  { name: "developers", route: "developers", at: "/developers" },
  {
    name: "developers-call",
    route: "developers/:call",
    at: "/developers/post-api-transactions",
    light: true,
  },
];
