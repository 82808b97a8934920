import type { TemplateData, TemplateName } from "./templates.ts";

const deadline = "2026-03-01T10:30:00.000Z";
const account = { name: "Бат-Эрдэнэ", url: "/verify?token=abc" };
const trade = { name: "Бат-Эрдэнэ", code: "MM-7K2Q9", url: "/transactions/12" };

/** Data that fits each template, for tests and for administrators who look at one. */
export const samples: { [T in TemplateName]: TemplateData[T] } = {
  accountVerification: account,
  passwordReset: { ...account, minutes: 60 },
  welcome: account,
  transactionCompletion: { ...trade, role: "seller", amount: 150_000 },
  paymentRequested: {
    ...trade,
    other: "Сараа",
    description: "Steam-ийн бүртгэл",
    amount: 150_000,
    fee: 12_500,
    total: 162_500,
    deadline,
  },
  paymentConfirmed: { ...trade, role: "buyer", amount: 162_500, deadline },
  handedOver: { ...trade, other: "Сараа", deadline },
  confirmPlease: { ...trade, role: "buyer", other: "Сараа" },
  cancellationRequested: { ...trade, other: "Сараа" },
  tradeCancelled: { ...trade, role: "buyer", reason: "agreed", refund: 162_500 },
  refundAccountNeeded: { ...trade, amount: 162_500 },
  disputeOpened: { ...trade, other: "Сараа", deadline },
  disputeStep: { ...trade, step: "ruledSplit", other: "Сараа", refund: 60_000, payout: 90_000 },
  payoutDecided: { ...trade, role: "buyer", amount: 150_000 },
  payoutSent: { ...trade, amount: 150_000, destination: "Хаан банк ••••1234", reference: "FT2603010001" },
  refundSent: { ...trade, amount: 162_500, destination: "Голомт банк ••••9876", reference: "FT2603010002" },
  transactionNotice: { ...trade, state: "payment_confirmed" },
  vaultReminder: { ...trade, moment: deadline },
  deadlineReminder: { ...trade, task: "handOver", deadline },
  deadlineOverdue: { ...trade, task: "handOver", deadline },
  adminTask: { task: "payout", code: "MM-7K2Q9", detail: "150,000 ₮", url: "/admin/transactions/12" },
  brokenAlarm: { of: "ledger", found: "BALANCE_DIFFERS", moment: deadline, url: "/admin/money" },
  missingAlarm: { of: "ledger", moment: deadline, url: "/admin/money" },
  mailTest: { url: "/admin/email" },
  supportRequest: {
    number: "SR-7K2Q9XAB",
    topic: "Төлбөр",
    about: "Төлбөр, MM-7K2Q9XAB",
    code: "MM-7K2Q9XAB",
    standing: "own",
    name: "Бат-Эрдэнэ",
    email: "bat@example.mn",
    account: "@bat (7)",
    message: "Төлсөн боловч баталгаажаагүй байна.\nХоёр дахь мөр.",
    url: "/admin/transactions/12",
  },
  supportReceived: {
    number: "SR-7K2Q9XAB",
    topic: "Төлбөр",
    code: "MM-7K2Q9XAB",
    hours: "24–48",
    url: "/support",
  },
  securityNotice: {
    ...account,
    url: "/settings",
    event: "password_changed",
    moment: deadline,
    device: "Chrome, Android",
  },
  unreadMessages: { name: "Бат-Эрдэнэ", room: "Steam", unread: 3, url: "/chat/3" },
  roomJoined: { name: "Бат-Эрдэнэ", other: "Сараа", room: "Steam", url: "/chat/3" },
};
