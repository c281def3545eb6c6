import { describe, expect, it } from "vitest"
import { bulkUploads } from "../../drizzle/schema/bulk-uploads.ts"
import { users } from "../../drizzle/schema/users.ts"
import { sendSheet, xlsx } from "../factories/bulk-upload.ts"
import { rowsOf, signedIn } from "../factories/index.ts"
import { zip } from "../factories/scorm.ts"
import { rawZip, sheetOf, stringsOf, workbook, workbookParts } from "../factories/zips.ts"
import { post } from "../helpers/client.ts"

const MEGABYTE = 1_000_000

describe("an oversized or malicious spreadsheet", () => {
  it("is rejected, and no user is created", async () => {
    const { token } = await signedIn("staff")
    const x = "x".repeat(8 * MEGABYTE)
    const files: [string, Uint8Array | Promise<Uint8Array>, number, RegExp][] = [
      ["a comment of 8 MB", workbook(sheetOf(1, { before: `<!--${x}-->` })), 413, /more content than a list/],
      ["an attribute of 8 MB", workbook(sheetOf(1, { before: `<a b="${x}"/>` })), 413, /more content than a list/],
      ["a text of 8 MB", workbook(sheetOf(1, { inRow: () => `<c><v>${x}</v></c>` })), 413, /more content than a list/],
      ["a name of 8 MB", workbook(sheetOf(1, { before: `<${x}/>` })), 413, /more content than a list/],
      ["an unclosed comment", workbook(sheetOf(1, { before: "<!-- " })), 415, /must be a spreadsheet/],
      [
        "a depth of 101",
        workbook(sheetOf(1, { before: `${"<a>".repeat(101)}${"</a>".repeat(101)}` })),
        413,
        /more content than/,
      ],
      ["a column XFD", workbook(sheetOf(50, { inRow: (row) => `<c r="XFD${row}"><v>1</v></c>` })), 413, /500 columns/],
      ["310,000 shared texts", workbook(sheetOf(1), stringsOf(310_000)), 413, /300000 values/],
      [
        "one long text shared by many cells",
        workbook(sheetOf(400, { inRow: () => '<c t="s"><v>0</v></c>' }), stringsOf(1, "x".repeat(32_000))),
        413,
        /10 MB of text/,
      ],
      [
        "entities within entities",
        workbook(
          `<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]>${sheetOf(1, { inRow: () => "<c><v>&c;</v></c>" })}`,
        ),
        415,
        /must be a spreadsheet/,
      ],
      ["5,001 rows and more", workbook(sheetOf(20_000)), 413, /5000 rows/],
      [
        "70 MB in 70 KB",
        zip({ ...workbookParts(sheetOf(1)), "xl/media/a.bin": new Uint8Array(70 * MEGABYTE) }),
        413,
        /60 MB/,
      ],
      [
        "20 MB of one byte",
        zip({ ...workbookParts(sheetOf(1)), "xl/media/a.bin": new Uint8Array(20 * MEGABYTE) }),
        413,
        /100 times/,
      ],
      [
        "1,001 parts",
        rawZip(Array.from({ length: 1001 }, (_, i) => ({ name: `xl/${i}`, content: "" }))),
        413,
        /more than 1000 files/,
      ],
      [
        "parts that share their bytes",
        rawZip(
          [...Object.entries(workbookParts(sheetOf(1)))].map(([name, content], i) => ({
            name,
            content,
            ...(i > 3 && { at: 0 }),
          })),
        ),
        422,
        /lie over one another/,
      ],
      [
        "a part beyond the end",
        rawZip([{ name: "xl/workbook.xml", content: "<a/>", at: 4_000_000 }]),
        422,
        /lie over one another/,
      ],
      ["a name of 60,000 bytes", rawZip([{ name: "n".repeat(60_000), content: "" }]), 422, /longer than 900 bytes/],
      ["a csv of one line", new TextEncoder().encode(`email,first_name\n${"x".repeat(4 * MEGABYTE)}`), 413, /Row 2/],
      ["a csv of a million commas", new TextEncoder().encode(",".repeat(MEGABYTE)), 413, /500 columns/],
      [
        "a csv with an open quote",
        new TextEncoder().encode(`email,first_name\na@example.com,"A\n`),
        422,
        /row 2.*never closed/,
      ],
      ["a csv of quotes", new TextEncoder().encode(`email,first_name\n${'"'.repeat(MEGABYTE)}`), 413, /Row 2/],
      ["a csv of blank lines", new TextEncoder().encode("\n".repeat(4 * MEGABYTE)), 422, /row of headers/],
    ]
    for (const [what, file, status, message] of files) {
      const response = await sendSheet(await file, token, {}, "people.xlsx")
      expect(response, what).toMatchObject({ status, body: { status: "error", message } })
    }
    expect(await rowsOf(users)).toHaveLength(1)
    expect(await rowsOf(bulkUploads)).toEqual([])
  })

  it("is accepted if only its formatting is large: colored cells to the last column, and comments", async () => {
    const { token } = await signedIn("staff")
    const formatted = await workbook(
      sheetOf(3, { before: `<!--${"note ".repeat(10_000)}-->`, inRow: (row) => `<c r="XFD${row}" s="4"/>` }),
    )
    expect((await sendSheet(formatted, token)).body).toMatchObject({ created: 3, failed: 0 })
  })

  it("can have rich text, phonetic text, escapes, and cells and rows without a reference", async () => {
    const { token } = await signedIn("staff")
    const strings =
      '<sst><si><r><t>Gr</t></r><r><rPr/><t>ace</t></r><rPh sb="0" eb="1"><t>aid</t></rPh></si><si>' +
      "<t>Hop_x0041_</t></si></sst>"
    const sheet = `<x:worksheet xmlns:x="urn:x"><x:sheetData>
      <x:row><x:c t="inlineStr"><x:is><x:t>email</x:t></x:is></x:c>
      <x:c t="str"><x:v>first_name</x:v></x:c><x:c t="str"><x:f>A1&amp;B1</x:f><x:v>last_name</x:v></x:c></x:row>
      <x:row r="9"><x:c t="str"><x:v>g@example.com</x:v></x:c>
      <x:c t="s"><x:v>0</x:v></x:c><x:c t="s"><x:v>1</x:v></x:c></x:row>
      <x:row><x:c r="B10" t="str"><x:v>X</x:v></x:c></x:row></x:sheetData></x:worksheet>`
    const response = await sendSheet(await workbook(sheet, strings), token)
    expect(response.body).toMatchObject({ created: 1, errors: [{ row: 10, reasons: ["email is required."] }] })
    expect((await rowsOf(users)).at(-1)).toMatchObject({ firstName: "Grace", lastName: "HopA" })
  })
})

describe("a userList with too many columns", () => {
  it("is rejected above 500 different columns", async () => {
    const wide = Object.fromEntries(Array.from({ length: 501 }, (_, i) => [`column ${i}`, 1]))
    const response = await post("/api/user/bulkUpload", {
      userList: [{ email: "a@example.com", first_name: "A", ...wide }],
    })
    expect(response).toMatchObject({ status: 413, body: { message: /500 columns/ } })
  })
})

describe("concurrent spreadsheet uploads", () => {
  it("are all read, also after rejected uploads were not read to the end", async () => {
    const { token } = await signedIn("staff")
    const rejected = await workbook(sheetOf(50, { inRow: (row) => `<c r="XFD${row}"><v>1</v></c>` }))
    const early = await Promise.all([1, 2, 3, 4].map(() => sendSheet(rejected, token)))
    expect(early.map(({ status }) => status)).toEqual([413, 413, 413, 413])
    const sheets = await Promise.all(
      Array.from({ length: 8 }, (_, client) =>
        xlsx([
          ["email", "first_name"],
          ...Array.from({ length: 40 }, (_, row) => [`reader${client}-${row}@example.com`, "Ada"]),
        ]),
      ),
    )
    const responses = await Promise.all(sheets.map((sheet) => sendSheet(sheet, token, { dryRun: "true" })))
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200))
  })
})
