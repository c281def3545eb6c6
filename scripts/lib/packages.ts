// SCORM packages of one page for the checks in Chromium, and how a learner starts one in the console.
import type { Browser, Page } from "playwright-core"
import { type Connection, call, json, PASSWORD } from "./client.ts"
import { zipped } from "./zip.ts"

type Json = Record<string, unknown>

const manifest = (version: string, title: string) => `<?xml version="1.0"?>
<manifest identifier="M"
  xmlns="http://www.imsproject.org/xsd/imscp_rootv1p1p2" xmlns:adlcp="http://www.adlnet.org/xsd/adlcp_rootv1p2">
<metadata>
  <schema>ADL SCORM</schema>
  <schemaversion>${version === "1.2" ? "1.2" : "2004 4th Edition"}</schemaversion>
</metadata>
<organizations default="O"><organization identifier="O"><title>${title}</title>
<item identifier="I" identifierref="R"><title>Page</title></item></organization></organizations>
<resources><resource identifier="R" type="webcontent" adlcp:scormtype="sco" href="pages/index.html"/></resources>
</manifest>`

/** Where a learner finds a module. */
export interface Place {
  courseId: number
  registrationId: number
  moduleId: number
}

/** Uploads a package whose page is this one, and enrolls a learner in a course of it. */
export async function enrolledInPackage(
  owner: Connection,
  learnerId: number,
  { version, page }: { version: string; page: string },
): Promise<Place> {
  const post = async (path: string, body: object) => json<{ id: number }>(await call(owner, "POST", path, body))
  const name = `Check of SCORM ${version} ${Date.now()}`
  const form = new FormData()
  form.set("package", await zipped({ "imsmanifest.xml": manifest(version, name), "pages/index.html": page }))
  const { id: moduleId } = await post("/api/modules/scorm", form)
  const slug = name.toLowerCase().replace(/\W+/g, "-")
  const modules = [{ module_id: moduleId, required: true }]
  const { id: courseId } = await post("/api/course/create", { name, slug, status: "publish", content: "", modules })
  await post("/api/course/enroll", { course_ids: [courseId], user_ids: [learnerId] })
  const asked = `course_id=${courseId}&group_id=&page_size=1&page_number=1`
  const { records } = await json<{ records: Json[] }>(
    await call(owner, "GET", `/api/course/enrolled-students?${asked}`),
  )
  return { courseId, moduleId, registrationId: Number(records[0]?.id) }
}

/** A page of the console in a browser profile of its own, signed in by the form. */
export async function consoleOf(browser: Browser, base: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage()
  await page.goto(`${base}/login`)
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${base}/console`)
  return page
}

/** Starts a package in the console. @returns what its page logs as `outcome: …` */
export async function outcomeOf(page: Page, base: string, place: Place): Promise<string> {
  const outcome = page.waitForEvent("console", {
    predicate: (message) => message.text().startsWith("outcome: "),
    timeout: 60_000,
  })
  await page.goto(`${base}/console/learning/${place.courseId}/${place.registrationId}?module=${place.moduleId}`)
  await page.getByRole("button", { name: "Start the package" }).click()
  return (await outcome).text().slice("outcome: ".length)
}
