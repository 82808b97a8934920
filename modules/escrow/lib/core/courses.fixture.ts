/** What the two parties of a course share, and the reason that an administrator gives. */
export const home = {
  accountName: "Dorj",
  bankName: "Golomt Bank",
  accountNumber: "1105123456",
  ibanNumber: undefined,
};
export const contact = {
  infoType: "buyer",
  accountName: "Dorj",
  phoneNumber: "+97695112233",
  email: "dorj@example.mn",
} as const;
export const theirs = {
  infoType: "seller",
  ...{ accountName: "Saran", bankName: "Khan Bank", accountNumber: "5012345678" },
  ...{ ibanNumber: "MN140005005012345678", phoneNumber: "+97699112233", email: "saran@example.mn" },
} as const;
export const reason = "the account was taken back";
