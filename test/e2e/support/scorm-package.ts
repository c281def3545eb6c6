// SCORM packages of one page, and how a learner starts one in the console.
import type { Browser, Page } from "@playwright/test"
import { type Connection, PASSWORD } from "../../../scripts/lib/client.ts"
import { createZip } from "../../../scripts/lib/zip.ts"
import { get, type Json, post } from "./api.ts"

type Version = "1.2" | "2004"

const manifest = (version: Version, title: string) => `<?xml version="1.0"?>
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

export const scormPackage = (version: Version, title: string, page: string) =>
  createZip({ "imsmanifest.xml": manifest(version, title), "pages/index.html": page })

/** A module of a learner's course. */
export interface EnrolledModule {
  courseId: number
  registrationId: number
  moduleId: number
}

/** Uploads a package with this page, and enrolls a learner in a course with it. */
export async function enrollInPackage(
  owner: Connection,
  learnerId: number,
  version: Version,
  page: string,
): Promise<EnrolledModule> {
  const name = `SCORM ${version} ${Date.now()}`
  const form = new FormData()
  form.set("package", await scormPackage(version, name, page))
  const { id: moduleId } = await post<{ id: number }>(owner, "/api/modules/scorm", form)
  const { id: courseId } = await post<{ id: number }>(owner, "/api/course/create", {
    name,
    slug: name.toLowerCase().replace(/\W+/g, "-"),
    status: "publish",
    content: "",
    modules: [{ module_id: moduleId, required: true }],
  })
  await post(owner, "/api/course/enroll", { course_ids: [courseId], user_ids: [learnerId] })
  const parameters = { course_id: courseId, group_id: "", page_size: 1, page_number: 1 }
  const { records } = await get<{ records: Json[] }>(owner, "/api/course/enrolled-students", parameters)
  return { courseId, moduleId, registrationId: Number(records[0]?.id) }
}

/** A page in a browser context of its own, signed in to the console. */
export async function openConsole(browser: Browser, url: string, email: string): Promise<Page> {
  const page = await (await browser.newContext({ locale: "en-GB" })).newPage()
  await page.goto(`${url}/login`)
  await page.getByLabel("Email address").fill(email)
  await page.getByLabel("Password").fill(PASSWORD)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.waitForURL(`${url}/console`)
  return page
}

/** Starts a package in the console. @returns what its page logs as `outcome: …` */
export async function runPackage(page: Page, url: string, module: EnrolledModule): Promise<string> {
  const { courseId, registrationId, moduleId } = module
  const outcome = page.waitForEvent("console", {
    predicate: (message) => message.text().startsWith("outcome: "),
    timeout: 60_000,
  })
  await page.goto(`${url}/console/learning/${courseId}/${registrationId}?module=${moduleId}`)
  await page.getByRole("button", { name: "Launch" }).click()
  return (await outcome).text().slice("outcome: ".length)
}
