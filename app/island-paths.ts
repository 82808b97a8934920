/** The addresses that the room's script links to. They lie apart so that a browser does not load all the others with them. */
export const islandPaths = {
  room: (id: number) => `/chat/${id}` as const,
  /** The composer with a quote of one message. */
  replyTo: (room: number, seq: number) => `/chat/${room}?reply=${seq}` as const,
  /** The part of a conversation around one message. */
  message: (room: number, seq: number) => `/chat/${room}?at=${seq}#m${seq}` as const,
  verify: (code: string) => `/verify/${encodeURIComponent(code)}`,
  reportMessage: (room: number, message: number) => `/report?room=${room}&message=${message}` as const,
  securityGuide: "/security-guide",
} as const;
