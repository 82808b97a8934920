import { deflateSync } from "node:zlib";

// PDFs for tests: one page each, and what is added to it.

const page = "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R>>";
const drawing = "BT /F1 12 Tf 20 100 Td (Receipt 50,000) Tj ET";

/** A stream object's text, unpacked or by Flate. */
export function streamOf(data: string | Buffer, dictionary = "", packed = true): string {
  const bytes = packed ? deflateSync(Buffer.from(data)) : Buffer.from(data);
  const filter = packed ? "/Filter/FlateDecode" : "";
  return `<<${dictionary}${filter}/Length ${bytes.length}>>\nstream\n${bytes.toString("latin1")}\nendstream`;
}

/** A PDF of one page. `catalog` is added to its catalogue, `objects` are further objects, from number 5 on. */
export function makePdf(catalog = "", objects: string[] = []): Buffer {
  const all = [
    `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
    "<</Type/Pages/Kids[3 0 R]/Count 1>>",
    page,
    streamOf(drawing),
    ...objects,
  ];
  let text = "%PDF-1.7\n%\xe2\xe3\xcf\xd3\n";
  const offsets = all.map((object, at) => {
    const offset = text.length;
    text += `${at + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, "0")} 00000 n \n`;
  });
  const table = `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${offsets.join("")}`;
  const trailer = `trailer\n<</Size ${all.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF\n`;
  return Buffer.from(text + table + trailer, "latin1");
}

/** An object stream that holds `object`. */
export function objectStream(object: string, more = ""): string {
  return streamOf(`9 0 ${object}`, `/Type/ObjStm/N 1/First 4${more}`);
}

/** PDFs that are refused because of what they contain, by name. */
export function actingPdfs(): Array<[string, Buffer]> {
  const script = "<</S/JavaScript/JS(app.alert\\(1\\))>>";
  const bomb = deflateSync(Buffer.alloc(64 * 1024 * 1024));
  const twice = `<</Type/ObjStm/N 1/First 4/Filter[/ASCIIHexDecode/FlateDecode]/Length 4>>\nstream\n00>\nendstream`;
  return [
    ["a script", makePdf("/OpenAction 5 0 R", [script])],
    ["a script under an escaped name", makePdf("/Names 5 0 R", ["<</S/J#61v#61Script/J#53(x)>>"])],
    ["a script alone", makePdf("", ["<</S/Rendition2/JS (x)>>"])],
    ["a script in an object stream", makePdf("", [objectStream(script)])],
    [
      "a script in an object stream that is not called one",
      makePdf("", [streamOf(`9 0 ${script}`, "/N 1/First 4")]),
    ],
    ["an object stream that cannot be unpacked", makePdf("", [twice])],
    [
      "an object stream with a predictor",
      makePdf("", [objectStream("<<>>", "/DecodeParms<</Predictor 12>>")]),
    ],
    [
      "a damaged object stream",
      makePdf("", ["<</Type/ObjStm/N 1/First 4/Filter/FlateDecode/Length 3>>\nstream\nxyz\nendstream"]),
    ],
    ["a program to launch", makePdf("/OpenAction<</S/Launch/F(cmd.exe)>>")],
    ["an opening action", makePdf("/OpenAction<</S/URI/URI(https://example.com)>>")],
    ["additional actions", makePdf("/AA<</WC 5 0 R>>", ["<</S/URI>>"])],
    ["an attachment", makePdf("/Names<</EmbeddedFiles 5 0 R>>", ["<</Names[]>>"])],
    ["a form", makePdf("/AcroForm<</Fields[]>>")],
    ["a form of XML", makePdf("", [objectStream("<</XFA 10 0 R>>")])],
    ["encryption", makePdf("/Encrypt 5 0 R", ["<</Filter/Standard/V 2>>"])],
    ["another file's page", makePdf("", ["<</S/GoToR/F(\\\\\\\\host\\\\share)>>"])],
    ["an embedded file's page", makePdf("", ["<</S/GoToE>>"])],
    ["a film", makePdf("", ["<</Subtype/RichMedia>>"])],
    ["a form that is sent", makePdf("", ["<</S/SubmitForm/F(https://example.com)>>"])],
    [
      "a bomb",
      makePdf("", [
        `<</Filter/FlateDecode/Length ${bomb.length}>>\nstream\n${bomb.toString("latin1")}\nendstream`,
      ]),
    ],
    ["an archive too", zipped(makePdf())],
    ...disguisedPdfs(),
  ];
}

/** PDFs whose readers find a script where a search could miss it, by the disguise. */
function disguisedPdfs(): Array<[string, Buffer]> {
  const script = "9 0 <</S/JavaScript/JS(app.alert\\(1\\))>>";
  const bytes = deflateSync(Buffer.from(script)).toString("latin1");
  const plain = "/Type/ObjStm/N 1/First 4/Filter/FlateDecode";
  const hidden = (dictionary: string, keyword = "stream\n") =>
    makePdf("", [`<<${dictionary}/Length ${bytes.length}>>${keyword}${bytes}\nendstream`]);
  return [
    ["spaces before the stream", hidden(`${plain}${" ".repeat(70_000)}`)],
    ["another object's beginning in a dictionary", hidden(`${plain}/X (obj)`)],
    ["a dictionary in a dictionary's text", hidden(`/X (5 0 obj <<) ${plain}`)],
    ["a stream after CR alone", hidden(plain, "stream\r")],
    ["a stream after a space", hidden(plain, "stream ")],
    ["a stream after a comment", hidden(plain, "%\nstream\n")],
    ["a stream after a comment on another line", hidden(`${plain}%`, "\n>>%\r stream\r\n")],
    ["comments in the dictionary of an image", hidden(`/N%\n1/First%\n4/Filter/FlateDecode/Subtype/Image`)],
    ["an object stream that is an image too", hidden(`${plain}/Subtype/Image`)],
    ["an object stream without a first offset", hidden("/N 1/Subtype/Image/Filter/FlateDecode")],
    ["NUL as white space of a dictionary", hidden("/Type\0/ObjStm/N\x001/First\x004/Filter\0/FlateDecode")],
    ["an entry that is there twice", hidden(`/Filter/DCTDecode/Subtype/Image${plain}`)],
    ["an escaped name of an entry", hidden("/#4e 1/Fir#73t 4/Filter/FlateDecode/Subtype/Image")],
    ["a type that is elsewhere", hidden("/Type 6 0 R/Filter/LZWDecode")],
    ["a stream in another file", hidden("/F(\\\\\\\\host\\\\share)")],
    [
      "another object in an open dictionary",
      makePdf("", [`<<${plain}/Length 6 0 obj<<>>\nstream\n${bytes}\nendstream`]),
    ],
    [
      "another object in a dictionary after a comment",
      makePdf("", [`%\n<<${plain} endobj 6 0 obj<<>>\nstream\n${bytes}\nendstream`]),
    ],
    ["a dictionary that is not closed", makePdf("", [`<<${plain} stream\n${bytes}\nendstream`])],
    ["additional actions after NUL", makePdf("/AA\0<</WC 5 0 R>>", ["<</S/URI>>"])],
    ["additional actions after a comment", makePdf("/AA%\n5 0 R", ["<</WC<</S/URI>>>>"])],
    ["additional actions after a long number", makePdf(`/AA ${"0".repeat(300)}5 0 R`, ["<</S/URI>>"])],
    ["an attachment of a note", makePdf("", ["<</Subtype/Text/FS<</EF<</F 6 0 R>>>>>>"])],
    [
      "many damaged streams",
      makePdf("", Array(9).fill(streamOf("x".repeat(99)).replace("x\x9c", "x\x9c\xff"))),
    ],
  ];
}

/** Texts that take quadratic time if they are searched carelessly; each is a PDF's middle, of five megabytes. */
export function slowPdfs(): Array<[string, Buffer]> {
  const fill = (part: string, length = 5 * 1024 * 1024) => part.repeat(Math.floor(length / part.length));
  const packed = (part: string) => `1 0 obj\n${streamOf(fill(part, 16 * 1024 * 1024 - 100))}\nendobj`;
  const middles: Array<[string, string]> = [
    ["digits", `%${fill("1")}`],
    ["numbers", `%${fill("1 ")}`],
    ["spaces after an opening action", `1 0 obj\n<</OpenAction${fill(" ")}[3 0 R]>>\nendobj`],
    ["packed spaces after an opening action", packed(`/OpenAction${fill(" ", 1024 * 1024)}[`)],
    ["packed spaces", packed(" ")],
    ["packed slashes", packed("/")],
    ["packed escapes", packed("#2f")],
    ["arrays of filters before streams", fill(`${"/F[".repeat(330)} stream\n`)],
    ["streams", fill("1 0 obj<<>>stream\n")],
    ["words", fill("stream ")],
    ["spaces before streams", fill(`${" ".repeat(60_000)}stream`)],
    ["objects", fill("1 0 obj ")],
    ["dictionaries", fill("<<")],
    ["dictionaries in dictionaries", fill("obj<</a")],
    ["arrays in objects", fill("obj<</a[")],
    ["text in objects", fill("obj<</a(")],
    ["digits in objects", `${fill("obj<</a ", 60_000)}<${fill("0")}`],
    ["ends", fill("%%EOF\n")],
    ["white space", fill("\0\t ")],
  ];
  const tail = "\n1 0 obj\n<< >>\nendobj\nstartxref\n9\n%%EOF\n";
  return middles.map(([what, middle]) => [what, Buffer.from(`%PDF-1.4\n${middle}${tail}`, "latin1")]);
}

/** The end of an empty ZIP archive, in the last object of a PDF. */
function zipped(pdf: Buffer): Buffer {
  const end = pdf.lastIndexOf("xref\n0");
  return Buffer.concat([
    pdf.subarray(0, end),
    Buffer.from(`%PK\x05\x06${"\0".repeat(18)}\n`),
    pdf.subarray(end),
  ]);
}

/** Files that begin as PDFs do and are none, by name. */
export function brokenPdfs(): Array<[string, Buffer]> {
  const whole = makePdf();
  return [
    ["the first bytes alone", Buffer.from("%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj")],
    ["one cut in half", whole.subarray(0, whole.length / 2)],
    [
      "one with a page of HTML behind it",
      Buffer.concat([whole, Buffer.from("<html><script>alert(1)</script></html>")]),
    ],
    ["a page behind the first bytes", Buffer.from("%PDF-1.7\n<html><script>alert(1)</script></html>\n%%EOF")],
  ];
}
