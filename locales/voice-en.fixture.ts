import {
  hasTwoColons,
  hasWord,
  isAboutDispute,
  isAboutLog,
  isBackOffice,
  isButton,
  isLegal,
  isLonger,
  readable,
  type VoiceRule,
} from "./voice-words.fixture.ts";

const months = "January|February|March|April|May|June|July|August|September|October|November|December";
const ise = "recogn|organ|author|custom|apolog|summar|final|real|minim|maxim|emphas|special|categor|prior";

/** What voice.md and the glossary say about English. */
export const englishRules: Array<Omit<VoiceRule, "language">> = [
  {
    name: "no stiff words",
    place: "both",
    breaks: hasWord(
      "whoever|whomever|whom|one's|oneself|anew|aside|at once|for good|the former|the latter|somebody|anybody|goes back|gone back|works no more|(?:is|are) over|dealt with|stands|stood|thereof|hereby|shall",
    ),
    wrong: "Somebody opened it at once",
    right: "Someone opened it right away",
  },
  {
    name: "handover, email and phone",
    place: "both",
    breaks: hasWord("hand-overs?|e-mails?|telephones?"),
    wrong: "Record the hand-over",
    right: "Record the handover",
  },
  {
    name: "sign in, two-step sign-in",
    place: "both",
    breaks: hasWord("log(?:ged|ging|s)? (?:in|out)|logins?(?! details)|log-in|logout|second[ -]factor|2FA"),
    wrong: "Log in with your login",
    right: "Sign in with the login details",
  },
  {
    name: "the glossary's words",
    place: "both",
    breaks: hasWord(
      "goods|sums?|time to pay|still to be paid|what is over|stays? held|account name|receivers?|what was said|has the case|decided for|rul(?:ing|ed) for|the admin|counterparty|(?:is|proved) whole|(?:a|the) QR(?! (?:code|image))",
    ),
    wrong: "The buyer checks the goods",
    right: "The buyer checks the item",
  },
  {
    name: "the vault is not sealed",
    place: "both",
    breaks: (text, key) => !isAboutLog(key) && !isBackOffice(key) && hasWord("seal(?:ed|s|ing)")(text),
    wrong: "Sealed for you",
    right: "Added to the vault for you",
  },
  {
    name: "words of the ledger stay in the back office",
    place: "both",
    breaks: (text, key) => !isBackOffice(key) && hasWord("settlements?|suspense|journals?|booked")(text),
    wrong: "Your settlement is booked",
    right: "Your payout is recorded",
  },
  {
    name: "the other person, not the other side",
    place: "app",
    breaks: (text, key) =>
      !isAboutDispute(key) &&
      !isBackOffice(key) &&
      hasWord("the other side|both sides|other party|both parties")(text),
    wrong: "Ask the other side",
    right: "Ask the other person",
  },
  {
    name: "British spelling",
    place: "both",
    breaks: hasWord(
      `colors?|colored|favor\\w*|behavior\\w*|centers?|honors?|gray|canceled|canceling|fulfills?|enrollment|catalogs?|analyz\\w+|(?:${ise})iz(?:e|es|ed|ing|ation)|a license`,
    ),
    wrong: "The color is canceled",
    right: "The colour is cancelled",
  },
  {
    name: "5% without a space",
    place: "both",
    breaks: (text) => /[\d}]\s+%/.test(text),
    wrong: "5 %",
    right: "5%",
  },
  {
    name: "quotes are “ ”",
    place: "both",
    breaks: (text) => /["«»„]/.test(text.replaceAll(/<[^>]*>|`[^`]*`/g, "")),
    wrong: 'Press "Pay"',
    right: "Press “Pay”",
  },
  {
    name: "dashes are – in ranges and between words",
    place: "both",
    breaks: (text) => /—|\S - \S|(?<![\w-])\d{1,3}-\d{1,3}(?![\w-])/.test(readable(text)),
    wrong: "1-2 days - at most",
    right: "1–2 days – at most",
  },
  {
    name: "no full stop on buttons",
    place: "app",
    breaks: (text, key) => isButton(key) && /[.!]$/.test(text),
    wrong: "Send.",
    right: "Send",
  },
  {
    name: "at most 20 words a sentence",
    place: "app",
    breaks: isLonger(20),
    wrong: "no ".repeat(21),
    right: "no ".repeat(20),
  },
  {
    name: "at most 34 words a sentence in documents",
    place: "documents",
    breaks: isLonger(34),
    wrong: "no ".repeat(35),
    right: "no ".repeat(34),
  },
  {
    name: "one colon a sentence",
    place: "both",
    breaks: hasTwoColons,
    wrong: "This: that: those",
    right: "This: that. So: those",
  },
  {
    name: "contractions in the app and mails",
    place: "app",
    breaks: hasWord(
      "(?:can|do|does|did|will|is|are|was|were|have|has|had|could|would|should) not|cannot|you will|we will|you are|it is not|let us",
    ),
    wrong: "You cannot leave",
    right: "You can't leave",
  },
  {
    name: "no contractions in terms and privacy",
    place: "documents",
    breaks: (text, key) => isLegal(key) && /\p{L}(?:n't|'ll|'re|'ve)(?!\p{L})/u.test(text),
    wrong: "We don't sell it",
    right: "We do not sell it",
  },
  {
    name: "“may” for permission only in the terms",
    place: "both",
    // What may have happened, or may be, is a guess.
    breaks: (text, key) =>
      !key.startsWith("terms.") && /\bmay (?!(?:already |still )?(?:have|be)\b|not exist)/.test(text),
    wrong: "You may correct it",
    right: "You can correct it, and it may be late",
  },
  {
    name: "dates as 24 November 2026",
    place: "both",
    breaks: (text) => new RegExp(`\\d{4}-\\d\\d-\\d\\d|(?:${months}) \\d{1,2},? \\d{4}`).test(text),
    wrong: "May 12, 2025",
    right: "12 May 2025",
  },
];
