import { accountForms } from "./forms/account.ts";
import { filterForms, mailForms } from "./forms/backoffice/lists-and-mail.ts";
import { moneyForms } from "./forms/backoffice/money.ts";
import { transactionForms } from "./forms/backoffice/transactions.ts";
import { userForms } from "./forms/backoffice/users.ts";
import type { FormCase } from "./forms/form-case.ts";
import { roomForms } from "./forms/rooms.ts";
import { signInForms } from "./forms/sign-in.ts";
import { tradeForms } from "./forms/trades.ts";

/** Every form that a person fills in. A new form is one entry in the file of its area. */
export const forms: FormCase[] = [
  ...signInForms,
  ...roomForms,
  ...tradeForms,
  ...accountForms,
  ...transactionForms,
  ...moneyForms,
  ...userForms,
  ...mailForms,
  ...filterForms,
];
