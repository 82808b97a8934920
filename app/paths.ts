/** Every address of a page, in one typed place. */
export const paths = {
  landing: "/",
  chat: "/chat",
  room: (id: number) => `/chat/${id}` as const,
  admin: "/admin",
  adminLogin: "/admin/login",
  adminTransaction: (id: number) => `/admin/transactions/${id}` as const,
  resetPassword: "/reset-password",
  changePassword: "/change-password",
  verifyEmail: "/verify-email",
  logout: "/logout",
  preferences: "/preferences",
  sandboxMail: "/sandbox/mail",
  sandboxMailItem: (id: number | string) => `/sandbox/mail/${id}` as const,
  sandboxPay: (invoiceId: string) => `/sandbox/qpay/pay/${invoiceId}` as const,
} as const;
