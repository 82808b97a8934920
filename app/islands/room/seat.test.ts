import { expect, test } from "bun:test";
import { seatOf } from "./seat.ts";

test("of a member the page's data holds what the conversation shows, and no way to reach them", () => {
  const face = { id: 7, displayName: "Bold", avatarInitials: "B", role: "buyer", readSeq: 3 } as const;
  const contacts = { email: "bold@example.mn", phoneNumber: "99112233", bankAccount: "5012345678" };
  expect(seatOf({ ...face, ...contacts })).toEqual(face);
});
