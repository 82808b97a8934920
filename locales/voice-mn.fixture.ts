import {
  hasBeginning,
  hasTwoColons,
  isAboutLog,
  isLonger,
  readable,
  sentencesOf,
  type VoiceRule,
} from "./voice-words.fixture.ts";

/** What voice.md and the glossary say about Mongolian. */
export const mongolianRules: Array<Omit<VoiceRule, "language">> = [
  {
    name: "quotes are «»",
    place: "both",
    breaks: (text) => /["“”„]/.test(text.replaceAll(/<[^>]*>|`[^`]*`/g, "")),
    wrong: "“Төлөх”",
    right: "«Төлөх»",
  },
  {
    name: "dashes are “ – ”",
    place: "both",
    breaks: (text) => /—|\S - \S|\p{L}–\p{L}/u.test(readable(text)),
    wrong: "нэг - хоёр",
    right: "нэг – хоёр",
  },
  {
    name: "«24 цагийн дотор»",
    place: "both",
    breaks: (text) => /\}\}\s+дотор|(?:цаг|минут|хоног|өдөр|секунд) дотор/u.test(text),
    wrong: "{{payout}} дотор",
    right: "{{payout}} өнгөрөхөөс өмнө, 3 цагийн дотор",
  },
  {
    name: "no case ending on a placeholder",
    place: "both",
    breaks: (text) => /\}\}-?\p{L}/u.test(text),
    wrong: "{{name}}-ийн",
    right: "{{name}} нэртэй",
  },
  {
    name: "«бүү» with -аарай",
    place: "both",
    breaks: (text) =>
      sentencesOf(text).some(
        (one) =>
          /(?<!\p{L})бүү(?!\p{L})/iu.test(one) && !/бүү\s.*\p{L}(?:аарай|ээрэй|оорой|өөрэй)/iu.test(one),
      ),
    wrong: "Нууц үгээ бүү хэл.",
    right: "Нууц үгээ бүү хэлээрэй.",
  },
  {
    name: "«программ», «имэйл», «апп», «чат»",
    place: "both",
    breaks: hasBeginning("програм(?!м)|и-мэйл|емэйл|мэйл|майл|аппликейшн|апликейшн|чаат|линк"),
    wrong: "Програмаар и-мэйл илгээх",
    right: "Программаар имэйл илгээх",
  },
  {
    name: "dates as 2026 оны 11-р сарын 24",
    place: "both",
    breaks: (text) =>
      /\d{4}-\d\d-\d\d|оны \d{1,2} (?:дугаар|дүгээр)?\s*сар|\p{L}+(?:дугаар|дүгээр) сар/u.test(text),
    wrong: "2025 оны тавдугаар сарын 12",
    right: "2025 оны 5-р сарын 12",
  },
  {
    name: "«хүлээлгэн өгөх»",
    place: "both",
    breaks: hasBeginning("хүлээлгэж өг"),
    wrong: "Барааг хүлээлгэж өгсөн",
    right: "Барааг хүлээлгэн өгсөн",
  },
  {
    name: "the vault is not «битүүмжилсэн»",
    place: "both",
    breaks: (text, key) => !isAboutLog(key) && hasBeginning("битүүмжил")(text),
    wrong: "Битүүмжилсэн сейф",
    right: "Сейфэнд хийсэн",
  },
  {
    name: "the glossary's words",
    place: "both",
    breaks: hasBeginning(
      "транзакц|хэлцэл|наймаа|суудал|та хоёрт|хураамж|нэхэмжлэл(?!т)|дутуу төлбөр|илүү гарсан|баталгаажсан мэдэгдэл|системийн мэдэгдэл|солилцоо|дууссаныг баталгаажуул|баталгаагаа буцаа|буцаалт|мөнгө буцна|дансны нэр|банкны гүйлгээний дугаар|аккаунт|хэрэглэгчийн нэр|бүрэн бүтэн|эсрэг тал|дунд нь зогс|мөнгө хөдл|дуугүй|админтай холбог",
    ),
    wrong: "Хэрэглэгчийн нэр",
    right: "Нэвтрэх нэр",
  },
  {
    name: "at most 15 words a sentence",
    place: "app",
    breaks: isLonger(15),
    wrong: "үг ".repeat(16),
    right: "үг ".repeat(15),
  },
  {
    name: "at most 30 words a sentence in documents",
    place: "documents",
    breaks: isLonger(30),
    wrong: "үг ".repeat(31),
    right: "үг ".repeat(30),
  },
  {
    name: "one colon a sentence",
    place: "both",
    breaks: hasTwoColons,
    wrong: "Нэг: хоёр: гурав",
    right: "Нэг: хоёр. Гурав: дөрөв",
  },
  {
    name: "no plural after a number",
    place: "both",
    breaks: (text) => /(?:\d|\}\})\s+\p{L}+(?:ууд|үүд|чууд|чүүд)(?!\p{L})/u.test(text),
    wrong: "3 кодууд",
    right: "3 код",
  },
  {
    name: "5% without a space",
    place: "both",
    breaks: (text) => /[\d}]\s+%/.test(text),
    wrong: "5 %",
    right: "5%",
  },
];
