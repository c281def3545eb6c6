// The presentations as courses and their materials as modules, created one call at a time.
import { type Connection, call, each, json } from "../../scripts/lib/client.ts"
import { ProgressBar } from "../progress-bar.ts"
import type { Presentation } from "./dataset.ts"
import { recordsOf } from "./service.ts"

/** What a score out of 100 must be to pass a quiz. */
const PASS_PERCENT = 40

/** What a module has beside its name and content. */
const OF_TYPE = {
  text: {},
  video: {},
  quiz: { passPercent: PASS_PERCENT, questions: [] },
  assignment: { submission_type: "file", allowed_filetypes: ["document", "pdf"], totalPoints: 100 },
}

export interface Catalogue {
  /** Ids by names. */
  modules: Map<string, number>
  courses: Map<string, number>
}

interface Named {
  id: number
  name: string
}

/** Ids by name of a list's records. */
async function idsOf(connection: Connection, list: string): Promise<[string, number][]> {
  const found: [string, number][] = []
  for await (const { name, id } of recordsOf<Named>(connection, `${list}?page_size=500&page_number=1`))
    found.push([name, id])
  return found
}

/** Creates what is not there. Each call has a key, so that one whose answer was lost creates nothing twice. */
export async function loadCourses(
  connection: Connection,
  presentations: Presentation[],
  concurrency: number,
): Promise<Catalogue> {
  const create = async (path: string, name: string, body: object) => {
    const headers = { "idempotency-key": `academy-${name.replaceAll(" ", "-")}` }
    return (await json<{ id: number }>(await call(connection, "POST", path, { name, ...body }, headers))).id
  }
  const modules = new Map<string, number>()
  for (const type of ["text", "video", "quiz", "assignment"])
    for (const [name, id] of await idsOf(connection, `/api/modules/${type}`)) modules.set(name, id)
  const courses = new Map(await idsOf(connection, "/api/courses/tabularlist"))

  const missing = presentations.flatMap((course) => course.materials).filter(({ name }) => !modules.has(name))
  const bar = new ProgressBar("Modules", missing.length)
  await each(missing, concurrency, async ({ name, type, content }) => {
    modules.set(name, await create(`/api/modules/${type}`, name, { content, ...OF_TYPE[type] }))
    bar.step()
  })
  await each(presentations, concurrency, async ({ name, materials }) => {
    if (courses.has(name)) return
    const rows = materials.map((material) => ({ module_id: modules.get(material.name) }))
    courses.set(name, await create("/api/course/create", name, { status: "publish", modules: rows }))
  })
  return { modules, courses }
}
