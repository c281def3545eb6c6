import { env } from "cloudflare:workers"
import { afterEach, describe, expect, it } from "vitest"
import { modules } from "../../drizzle/schema/modules.ts"
import { submissions } from "../../drizzle/schema/submissions.ts"
import { operations } from "../../src/http/operation.ts"
import { sanitize } from "../../src/lib/text/sanitize.ts"
import { isApiUrl } from "../../src/lib/text/urls.ts"
import { learnerWithAssignment, PNG, uploadFile } from "../factories/assignments.ts"
import { rowsOf } from "../factories/index.ts"
import { get, post, put } from "../helpers/client.ts"

// Readers load an image in a text with their session cookie, so its URL must not call an operation.

const CALL = "api/class/update-class-status?id=13&status=Attended"
const OWN = "https://lectern.test"

/** Spellings of the same URL. */
const SPELLED = [
  `/${CALL}`,
  CALL,
  `./${CALL}`,
  `../../../../${CALL}`,
  `x/../${CALL}`,
  `/x/y/../../${CALL}`,
  `/x/%2e%2e/${CALL}`,
  `/x/.%2E/${CALL}`,
  `\\${CALL}`,
  `/x\\..\\${CALL}`,
  `/%61pi/class/update-class-status`,
  `/&#97;pi/class/update-class-status`,
  `/&#97pi/class/update-class-status`,
  `/&#x61;pi/class/update-class-status`,
  `/&#0000000097;pi/class/update-class-status`,
  `/x/&period;&period;/api/class/update-class-status`,
  `/x/&period;&period;&sol;api&sol;class`,
  ` /${CALL}`,
  `/a\tpi/class/update-class-status`,
  `/a\npi/class/update-class-status`,
  `/API/class/update-class-status`,
  `//lectern.test/${CALL}`,
  `\\\\lectern.test\\${CALL}`,
  `/\\lectern.test/${CALL}`,
  `${OWN}/${CALL}`,
  `https:${CALL}`,
  `HTTPS://LECTERN.TEST/${CALL}`,
  `http://lectern.test/${CALL}`,
  `https://lectern.test:443/${CALL}`,
  `https://somebody@lectern.test/${CALL}`,
  `https://lectern.test/x/../${CALL}`,
]

/** The pictures' addresses that a real parser finds. */
async function pictures(html: string) {
  const found: (string | null)[] = []
  const rewriter = new HTMLRewriter().on("*", {
    element: (element) => {
      if (element.tagName === "img") found.push(element.getAttribute("src"))
      else for (const [name] of element.attributes) expect(["href", "title"]).toContain(name)
    },
  })
  await rewriter.transform(new Response(html)).text()
  return found
}

describe("an image in a text", () => {
  afterEach(() => {
    env.BASE_URL = ""
  })

  it("loses a URL that calls the API, in every spelling", async () => {
    for (const src of SPELLED)
      for (const quote of ['"', "'"]) {
        const html = `<p>a<img src=${quote}${src}${quote} alt="b"></p>`
        const { body } = await post("/api/modules/text", { name: "Text", content: html })
        const { body: read } = await get(`/api/modules/text/${body.id}`)
        expect(await pictures(read.content), src).toEqual([null])
        expect(read.content).toContain('alt="b"')
      }
    expect((await rowsOf(modules)).filter(({ content }) => /update-class-status/.test(content ?? ""))).toEqual([])
  })

  it("loses the URL of an operation under BASE_URL too", async () => {
    env.BASE_URL = "https://academy.example"
    const content = `<img src="https://academy.example/${CALL}"><img src="${OWN}/${CALL}">`
    const { body } = await post("/api/modules/text", { name: "Text", content })
    expect(await pictures((await get(`/api/modules/text/${body.id}`)).body.content)).toEqual([null, null])
  })

  it("loses such a URL in a submission", async () => {
    const { ref, mine } = await learnerWithAssignment()
    const submission = `<p>My answer <img src="/${CALL}" alt="figure"></p>`
    expect((await post("/api/module/assignment/submit", { ...ref, submission }, mine)).status).toBe(200)
    const [row] = await rowsOf(submissions)
    expect(row?.body).toContain("My answer")
    expect(row?.body).not.toContain("update-class-status")
  })

  it("keeps the URL of a file and of another site, and a PUT of the GET changes nothing", async () => {
    const { mine } = await learnerWithAssignment({ submissionType: "file" })
    const uploaded = await uploadFile(mine.token, PNG, "figure.png")
    const unchanged = [
      uploaded,
      `${OWN}${uploaded}`,
      "/api/class/study-material/7/view",
      "/assets/logo.svg",
      "/apiary.png",
      "/files/api/figure.png",
      "https://ui-avatars.com/api/?name=Ada",
      "https://cdn.example/a.png?b=1&c=2",
      "figure.png",
    ]
    const content = `${unchanged.map((src) => `<img src="${src}">`).join("")}<a href="/${CALL}">Mark</a>`
    const { body } = await post("/api/modules/text", { name: "Text", content })
    const path = `/api/modules/text/${body.id}`
    const read = (await get(path)).body
    expect(read.content).toBe(content)
    expect((await put(path, read)).status).toBe(200)
    expect((await get(path)).body.content).toBe(content)
  })

  it("is unchanged when its text is sanitized again", () => {
    for (const src of [...SPELLED, "/a.png?b=1&c=2"]) {
      const once = sanitize(`<img src="${src}" alt="">`)
      expect(sanitize(once), src).toBe(once)
    }
  })
})

describe("isApiUrl", () => {
  const FILES = [
    ...["viewStudyMaterial", "downloadStudyMaterial", "downloadAssignmentFile", "getCertificateBackground"],
    "downloadMedia",
  ]

  it("is true for every operation except read-only files", () => {
    const path = (template: string) => template.replace("{file}", `${"a".repeat(43)}.png`).replace(/\{\w+\}/g, "7")
    const allowed = operations.filter((operation) => !isApiUrl(path(operation.path), [`${OWN}/console`]))
    for (const { operationId, method, mutates, response: answer } of allowed)
      expect([method, mutates, typeof answer === "string" || Array.isArray(answer)], operationId).toEqual([
        "get",
        false,
        true,
      ])
    expect(allowed.map(({ operationId }) => operationId).sort()).toEqual(FILES.sort())
  })
})
