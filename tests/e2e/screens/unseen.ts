/** Routes nobody looks at, each with the reason. */
export const unseen: Record<string, string> = {
  preferences: "keeps a choice and goes back",
  logout: "signs out and goes to the landing page",
  "settings/second-factor/codes/file": "a file of what the page before shows",
  "settings/data": "a file to keep",
  "admin/activity-logs.csv": "a file of what the log's page shows",
  "verify-email": "keeps what a mail's link says and goes on",
  "admin/dashboard": "the same as /admin",
  "admin/email/:template/export": "a file of what the editor saved",
  "admin/email/:template/preview": "a mail by itself: it stands in the frame of the page before",
  "admin/money/transfers.csv": "a file of a day's transfers",
  "admin/disputes/:id/evidence": "an archive of what is kept of a trade",
  "admin/disputes/:id/pictures/:image": "a picture alone",
  quote: "sums that a form's script shows while an amount is typed",
  "chat/:id/panel": "a part of the room's page, fetched by its script",
  design: "for those who build Midman; not there in production",
  "sandbox/qpay/pay/:invoiceId/press": "the sandbox page's form is sent there and leads back",
};
