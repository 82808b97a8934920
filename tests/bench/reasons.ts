/** Why a target is missed, by its line in the table. Shown only where it is missed, so it may stay when it is met again. */
export const reasons: Record<string, string> = {
  "SSR of the room, beside bare `renderToString`":
    "React's drawing is half of the processor's time for a page (profiled), and between requests it takes 1.3 to 1.7 times what the same drawing takes in a loop; session, reading, routing and the answer are the other half",
  "the same, beside `react-router-serve`":
    "half of Midman's time for a page is React drawing the tree that both draw (profiled)",
  "Idle memory per socket":
    "13 small objects (under 1 KB: person, session, seat, lease, queue) and a second subscription (0.1 KB) are a socket's own, by counting objects; the rest is memory that opening and checking so many leaves the process with",
  "Durable messages/s, 1,000 rooms":
    "other work had its share of the cores: messages wait between a transaction's statements",
  "2,000 open sockets for 10 minutes and more":
    "what a collection leaves in use is level: 35.4, 36.4, 36.7 and 36.9 MB, five minutes apart, 389,000 to 395,000 objects, and nothing more for each message (heaps compared). RAM beyond that is the collector's leeway, which rises and falls by 15 %: other runs had +5.5, +6.8 and, of forty minutes, +2.3 %",
};
