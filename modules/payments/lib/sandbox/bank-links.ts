/** The payer's apps as QPay lists them in production: scheme, name, Mongolian name. */
const bankApps: Array<[scheme: string, name: string, description: string]> = [
  ["qpaywallet", "qPay wallet", "qPay хэтэвч"],
  ["khanbank", "Khan bank", "Хаан банк"],
  ["statebankmongolia", "State bank", "Төрийн банк"],
  ["xacbank", "Xac bank", "Хас банк"],
  ["tdbbank", "Trade and Development bank", "ХХБ онлайн"],
  ["socialpay-payment", "Social Pay", "Голомт банк"],
  ["most", "Most money", "МОСТ мони"],
  ["nibank", "National investment bank", "Үндэсний хөрөнгө оруулалтын банк"],
  ["ckbank", "Chinggis Khaan bank", "Чингис хаан банк"],
  ["capitronbank", "Capitron bank", "Капитрон банк"],
  ["bogdbank", "Bogd bank", "Богд банк"],
  ["transbank", "Trans bank", "Тээвэр хөгжлийн банк"],
  ["mbank", "M bank", "М банк"],
  ["ard", "Ard App", "Ард Апп"],
  ["toki", "Toki App", "Токи апп"],
  ["arig", "Arig bank", "Ариг банк"],
  ["monpay", "Monpay", "Мон Пэй"],
  ["hipay", "Hipay", "Хай Пэй"],
  ["tdbwallet", "Happy Pay", "ХХБ хэтэвч"],
  ["sono", "Sono", "Соно"],
  ["payon", "Payon", "Пэй Он"],
  ["tino", "Tino", "Тино"],
  ["pass", "Pass", "Пасс"],
];

/** The links that open this QR code in an app on the payer's phone, one for each app. */
export function bankUrls(qrText: string) {
  return bankApps.map(([scheme, name, description]) => ({
    name,
    description,
    logo: `https://qpay.mn/q/logo/${scheme}.png`,
    link: `${scheme}://q?qPay_QRcode=${qrText}`,
  }));
}
