/** A bank's or wallet's app that pays a QPay code, under the name its customers know, in both languages. */
export type BankApp = { scheme: string; names: { en: string; mn: string } };

/**
 * The Mongolian apps that QPay lists, by the scheme of their links. Nothing else becomes a button, whatever a reply of the provider says: a
 * link with another scheme could open any app or run a script. Those with the most customers come first.
 */
const bankAppNames: Record<string, BankApp["names"]> = {
  khanbank: { en: "Khan Bank", mn: "Хаан банк" },
  "socialpay-payment": { en: "Golomt SocialPay", mn: "Голомт SocialPay" },
  tdbbank: { en: "TDB", mn: "ХХБ" },
  statebankmongolia: { en: "State Bank", mn: "Төрийн банк" },
  xacbank: { en: "XacBank", mn: "Хас банк" },
  mbank: { en: "M Bank", mn: "М банк" },
  qpaywallet: { en: "QPay", mn: "QPay" },
  monpay: { en: "MonPay", mn: "МонПэй" },
  toki: { en: "Toki", mn: "Токи" },
  hipay: { en: "HiPay", mn: "Хай Пэй" },
  capitronbank: { en: "Capitron Bank", mn: "Капитрон банк" },
  bogdbank: { en: "Bogd Bank", mn: "Богд банк" },
  nibank: { en: "NIBank", mn: "ҮХОБанк" },
  ckbank: { en: "Chinggis Khaan Bank", mn: "Чингис Хаан банк" },
  transbank: { en: "Trans Bank", mn: "Тээвэр хөгжлийн банк" },
  arig: { en: "Arig Bank", mn: "Ариг банк" },
  most: { en: "Most Money", mn: "МОСТ мони" },
  ard: { en: "Ard", mn: "Ард" },
  tdbwallet: { en: "Happy Pay", mn: "Хэппи Пэй" },
  sono: { en: "Sono", mn: "Соно" },
  payon: { en: "PayOn", mn: "ПэйОн" },
  tino: { en: "Tino", mn: "Тино" },
  pass: { en: "Pass", mn: "Пасс" },
};

const knownSchemes = Object.keys(bankAppNames);

/** Whether a known app has this scheme. */
export function isBankScheme(scheme: string): boolean {
  return Object.hasOwn(bankAppNames, scheme);
}

/** The app that a link opens; undefined unless its scheme is one of a known app and the rest is what follows `://`, without control characters. A QR text may hold blanks. */
export function findBankApp(link: string): BankApp | undefined {
  const scheme = /^([a-z][a-z0-9+.-]*):\/\/\P{Cc}+$/iu.exec(link)?.[1]?.toLowerCase();
  if (scheme === undefined || !isBankScheme(scheme)) return undefined;
  return { scheme, names: bankAppNames[scheme] as BankApp["names"] };
}

/** The place of a known app in the list of buttons. */
export function bankAppRank({ scheme }: BankApp): number {
  return knownSchemes.indexOf(scheme);
}
