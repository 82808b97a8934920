import { expect, test } from "bun:test";
import { seatOf } from "./seat.ts";

test("the page's data has only what the conversation shows of a member, and no contact details", () => {
  const face = { id: 7, displayName: "Bold", avatarInitials: "B", role: "buyer", readSeq: 3 } as const;
  const contacts = { email: "bold@example.mn", phoneNumber: "99112233", bankAccount: "5012345678" };
  expect(seatOf({ ...face, ...contacts })).toEqual(face);
});
