import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { announcements } from "../../drizzle/schema/announcements.ts"
import { courses } from "../../drizzle/schema/courses.ts"
import { modules } from "../../drizzle/schema/modules.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { users } from "../../drizzle/schema/users.ts"
import { plainText, sanitize, searchableText } from "../../src/lib/text/sanitize.ts"
import { hasTooManyMarks, normalizeText } from "../../src/lib/text/text.ts"
import { learnerWithAssignment } from "../factories/assignments.ts"
import { rowsOf, user } from "../factories/index.ts"
import { get, post, put } from "../helpers/client.ts"

const WRITTEN = [
  "a[i] = i<5 ? 1 : 2; Final answer: 42",
  "I <3 you, and 1 < 2 > 0",
  "#include <stdio.h>\nvector<int> v; if (a<b && c>d) return",
  "<script>console.log(1)</script> <!-- note --> <!doctype html>",
  "open <b and do not close it",
  'x <b and c> y, <a "quoted, </p',
  "<",
  "AT&T &copy; <at> <>",
]
/** The text that the HTML says, where it has no tags. */
const said = (html: string) => html.replaceAll("&lt;", "<").replaceAll("&gt;", ">")

/** What a real parser finds in HTML. */
async function elementsOf(html: string) {
  const found: { tag: string; attributes: [string, string][] }[] = []
  let comments = 0
  const rewriter = new HTMLRewriter()
    .on("*", {
      element: (element) =>
        void found.push({ tag: element.tagName, attributes: [...element.attributes] as [string, string][] }),
    })
    .onDocument({ comments: () => void comments++, doctype: () => void comments++ })
  await rewriter.transform(new Response(`<main>${html}</main>`)).text()
  return { found, comments }
}

const NAMES = [
  "p",
  "b",
  "a",
  "img",
  "td",
  "script",
  "style",
  "svg",
  "iframe",
  "stdio.h",
  "math",
  "x-y",
  "a/b",
  "A",
  "object",
]
const ATTRIBUTES = ["href", "src", "title", "onclick", "onerror", "style", "alt", "colspan", "class", "HREF", "srcdoc"]
const VALUES = [
  "https://a.example/?a=1&b=2",
  "javascript:alert(1)",
  "JaVa\tScRiPt:alert(1)",
  "java&#115;cript&colon;alert(1)",
  "java&Tab;script&#58;alert(1)",
  "&#x6A&#x61vascript:alert(1)",
  "&#38;#106;avascript:alert(1)",
  "\u0001javascript:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml;base64,AAAA",
  "data:image/png;base64,AAAA",
  "vbscript:x",
  "page.html",
  "/a?b=c:d",
  "#top",
  "mailto:a@b.example",
  '"><img src=x onerror=alert(1)>',
  "&quot; onclick=alert(1) x=&quot;",
  "",
]
const attribute = fc
  .tuple(fc.constantFrom(...ATTRIBUTES), fc.constantFrom(...VALUES), fc.constantFrom('"', "'", "", "`", "none"))
  .map(([name, value, quote]) => (quote === "none" ? name : `${name}=${quote}${value}${quote}`))
const tag = fc
  .tuple(
    fc.constantFrom("<", "</", "< ", "<<"),
    fc.constantFrom(...NAMES),
    fc.array(attribute, { maxLength: 3 }),
    fc.constantFrom(" ", "/", "\n", "  "),
    fc.constantFrom(">", "/>", " />", "", "<"),
  )
  .map(([open, name, attributes, gap, close]) => `${open}${[name, ...attributes].join(gap)}${close}`)
const markup = fc
  .array(
    fc.oneof(
      tag,
      fc.constantFrom(...WRITTEN, " text ", "<!--", "-->", "<![CDATA[", "]]>", "&lt;b&gt;", "\u0000"),
      fc.string(),
    ),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(""))

describe("sanitizing HTML", () => {
  it("loses no text after a <", () => {
    for (const text of WRITTEN) expect(said(sanitize(text)), text).toBe(text)
    const piece = fc.oneof(
      fc.constantFrom("<", ">", "<5", "< ", "<=", "</", "<?", "<!", '"', "'", "=", "/", " "),
      fc.string(),
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        // No letter after a "<": what a tag is, and what is none, the other tests tell.
        const text = pieces.join("").replace(/(<\/?)[a-z]/gi, "$1")
        expect(said(sanitize(text))).toBe(said(text.trim()))
      }),
      { seed: 1, numRuns: 500 },
    )
  })

  it("removes scripts, event handlers and foreign schemes, according to a real parser", async () => {
    const schemes = /^(https?:\/\/|mailto:|tel:|data:image\/(png|jpe?g|gif|webp|avif|bmp);base64,|[^:]*$|[^:]*[/?#])/i
    const decode = (value: string) =>
      value
        .replace(/&#(?:x([\da-f]+)|(\d+));?/gi, (_, hex, decimal) =>
          String.fromCodePoint(hex ? parseInt(hex, 16) : +decimal),
        )
        .replace(/&colon;?/gi, ":")
        .replace(/&(tab|newline);?/gi, "")
        // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers pass over them
        .replace(/[\u0000-\u0020]/g, "")
    await fc.assert(
      fc.asyncProperty(markup, async (html) => {
        const { found, comments } = await elementsOf(sanitize(html))
        expect(comments).toBe(0)
        for (const { tag, attributes } of found) {
          expect(["main", "p", "b", "a", "img", "td"]).toContain(tag)
          for (const [name, value] of attributes) {
            expect(["href", "src", "title", "alt", "colspan"]).toContain(name)
            if (name === "href" || name === "src") expect(decode(value)).toMatch(schemes)
            if (tag === "a") expect(decode(value)).not.toMatch(/^data:/i)
          }
        }
      }),
      { seed: 2, numRuns: 400 },
    )
  })

  it("changes nothing the second time", () => {
    fc.assert(
      fc.property(markup, (html) => {
        const once = sanitize(html)
        expect(sanitize(once)).toBe(once)
      }),
      { seed: 3, numRuns: 1000 },
    )
  })

  it("keeps the markup of editors, and converts it to text for mails and searches", () => {
    const html =
      '<h2>A</h2><p>i &lt; 5 <a href="/x" title="t">here</a><br /></p>' + '<ul><li>1</li></ul><img src="/i.png" alt="">'
    expect(sanitize(html)).toBe(html)
    expect(sanitize(`<P CLASS=x>A<SPAN style='color:red'>b</span><img alt=c src=i.png></p>`)).toBe(
      `<p>A<span>b</span><img alt="c" src="i.png"></p>`,
    )
    expect(plainText(html)).toBe("A\ni < 5 here (/x)\n1")
    expect(searchableText("<p>Ä&amp;<b>B</b></p><p>C &#233;</p>")).toBe("ä&b c é")
  })
})

describe("text that a person wrote", () => {
  it("is complete in a submission, announcement, module and course; a PUT of the GET changes nothing", async () => {
    const text = WRITTEN.join("\n")
    const { ref, mine } = await learnerWithAssignment()
    expect((await post("/api/module/assignment/submit", { ...ref, submission: text }, mine)).status).toBe(200)
    const news = { heading: "News", content: text, sending_rules: "all" }
    expect((await post("/api/announcement", news)).status).toBe(200)
    expect((await post("/api/modules/text", { name: "Text", content: text })).status).toBe(200)
    expect((await post("/api/course/create", { name: "Course", content: text, instructions: text })).status).toBe(200)
    const kept = async () => [
      ...(await rowsOf(submissions)).map((row) => row.body),
      ...(await rowsOf(announcements)).map((row) => row.content),
      ...(await rowsOf(modules)).filter((row) => row.name === "Text").map((row) => row.content),
      ...(await rowsOf(courses))
        .filter((row) => row.name === "Course")
        .flatMap((row) => [row.content, row.instructions]),
    ]
    const before = await kept()
    expect(before.map(said)).toEqual([text, text, text, text, text])
    const [module] = (await rowsOf(modules)).filter((row) => row.name === "Text")
    const [made] = (await rowsOf(courses)).filter((row) => row.name === "Course")
    for (const path of ["/api/announcement/1", `/api/modules/text/${module?.id}`, `/api/course/${made?.id}`]) {
      const { body } = await get(path)
      expect((await put(path, body)).status, path).toBeLessThan(300)
    }
    expect(await kept()).toEqual(before)
  })

  it("is refused if it is too long after sanitizing, so that stored text can be sent back", async () => {
    const { status, body } = await post("/api/modules/text", { name: "Long", content: "<".repeat(200_000) })
    expect(status).toBe(422)
    expect(body.errors.content[0]).toContain("500000 characters or fewer")
  })
})

describe("text that shows nothing", () => {
  it("counts as empty: a name is missing, and a note is none", async () => {
    for (const nothing of ["\u200b", " \u2060\ufeff ", "\u3164\u00ad", "\u2800\ufe0f", "\u{e0020}"]) {
      expect(normalizeText(nothing)).toBe("")
      const category = await post("/api/category/create", { category_name: nothing, categoryType: "course" })
      expect(category.body.errors, JSON.stringify(nothing)).toEqual({ category_name: ["category_name is required."] })
    }
    for (const shown of ["👩\u200d👩", "a\u200b", "❤\ufe0f", "من\u200cه"]) expect(normalizeText(shown)).toBe(shown)
    const { id } = await user()
    expect((await put(`/api/user/${id}`, { internal_note: "\u200b" })).status).toBe(200)
    expect((await rowsOf(users))[0]?.internalNote ?? null).toBeNull()
  })
})

describe("combining marks", () => {
  const SCRIPTS = {
    Vietnamese: "Nguyễn Thị Phượng",
    Hebrew: "בְּרֵאשִׁ֖ית בָּרָ֣א אֱלֹהִ֑ים שָּׁ֔֗",
    Thai: "น้ำ ที่นี่ ปู่",
    Tibetan: "ཧྐྵྨླྺྼྻྂ བསྒྲུབས",
    Devanagari: "क्षत्रिय र्क्ष्ण्यो",
    Arabic: "مُحَمَّدٌ ٱللَّٰهِ",
    Myanmar: "ကြွက်တွေ မြန်မာ",
    Khmer: "ស្ត្រី ក្រុមហ៊ុន",
    emoji: "👩‍👩‍👧‍👦 ❤️‍🔥 1️⃣",
  }

  it("are accepted as every script uses them, composed or not", async () => {
    for (const [script, text] of Object.entries(SCRIPTS))
      for (const form of ["NFC", "NFD"] as const) {
        expect(hasTooManyMarks(text.normalize(form)), script).toBe(false)
        const { id } = await user()
        expect((await put(`/api/user/${id}`, { firstName: text.normalize(form) })).status, script).toBe(200)
        expect((await rowsOf(users)).find((row) => row.id === id)?.firstName).toBe(normalizeText(text))
      }
  })

  it("are refused if there are too many on a character, in every text, before normalization", async () => {
    const piled = `a${"\u0301".repeat(50_000)}${"\u0316".repeat(50_000)}`
    const { id } = await user()
    const refused = { status: 422 }
    const name = await put(`/api/user/${id}`, { firstName: piled })
    expect(name).toMatchObject({ ...refused, body: { errors: { firstName: [/100 characters or fewer/] } } })
    const zalgo = `z${"\u0301\u0316".repeat(8)}`
    const decorated = await put(`/api/user/${id}`, { firstName: zalgo })
    expect(decorated).toMatchObject({ ...refused, body: { errors: { firstName: [/more than 10 combining marks/] } } })
    const calls: [string, object][] = [
      ["/api/announcement", { heading: zalgo, content: piled, sending_rules: "all" }],
      ["/api/category/create", { name: piled, type: "course" }],
      ["/api/modules/text", { name: "A", content: piled }],
      ["/login", { email: zalgo, password: "x" }],
    ]
    for (const [path, body] of calls) expect((await post(path, body)).status, path).toBe(422)
    const search = encodeURIComponent(JSON.stringify({ nameOrEmail: zalgo, searchTerm: zalgo, name: zalgo }))
    const list = `/api/users/tabularlist?page_size=1&page_number=1`
    expect((await get(`${list}&search_param=${search}`)).status).toBe(422)
    expect((await get(`${list}&order_by=${encodeURIComponent(zalgo)}`)).status).toBe(422)
  })
})
