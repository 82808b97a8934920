/** The addresses that the room's script links to. They lie apart so that a browser does not load all the others with them. */
export const islandPaths = {
  verify: (code: string) => `/verify/${encodeURIComponent(code)}`,
  reportMessage: (room: number, message: number) => `/report?room=${room}&message=${message}` as const,
  securityGuide: "/security-guide",
} as const;
