// The presentations as courses and their materials as modules, created one call at a time.
import { each } from "../../scripts/lib/client.ts"
import type { LecternClient } from "../../src/client/index.ts"
import { ProgressBar } from "../progress-bar.ts"
import type { Presentation } from "./dataset.ts"

/** The score out of 100 that passes a quiz. */
const PASS_PERCENT = 40

/** Fields of a module besides its name and content. */
const OF_TYPE = {
  text: {},
  video: {},
  quiz: { passPercent: PASS_PERCENT, questions: [] },
  assignment: { submission_type: "file", allowed_filetypes: ["document", "pdf"], totalPoints: 100 },
}

export interface Catalog {
  /** Ids by names. */
  modules: Map<string, number>
  courses: Map<string, number>
}

/** The lists of modules and of courses. */
type NamedList = `/api/modules/${Presentation["materials"][number]["type"]}` | "/api/courses/tabularlist"

/** Ids by name of a list's records. */
async function idsOf(client: LecternClient, list: NamedList): Promise<[string, number][]> {
  const found: [string, number][] = []
  for await (const { name, id } of client.list(list)) found.push([name, id])
  return found
}

const keyOf = (name: string) => ({ "idempotency-key": `academy-${name.replaceAll(" ", "-")}` })

/** The existing modules and courses. */
export async function catalogOf(client: LecternClient): Promise<Catalog> {
  const modules = new Map<string, number>()
  for (const type of ["text", "video", "quiz", "assignment"] as const)
    for (const [name, id] of await idsOf(client, `/api/modules/${type}`)) modules.set(name, id)
  return { modules, courses: new Map(await idsOf(client, "/api/courses/tabularlist")) }
}

/** Creates missing records. Each call has an Idempotency-Key, so that a lost response creates nothing twice. */
export async function loadCourses(
  client: LecternClient,
  presentations: Presentation[],
  concurrency: number,
): Promise<Catalog> {
  const { modules, courses } = await catalogOf(client)

  const missing = presentations.flatMap((course) => course.materials).filter(({ name }) => !modules.has(name))
  const bar = new ProgressBar("Modules", missing.length)
  await each(missing, concurrency, async ({ name, type, content }) => {
    const module = { name, content, ...OF_TYPE[type] }
    const { data } = await client.POST(`/api/modules/${type}`, { body: module, headers: keyOf(name) })
    modules.set(name, data.id)
    bar.step()
  })
  await each(presentations, concurrency, async ({ name, materials }) => {
    if (courses.has(name)) return
    const rows = materials.map((material) => ({ module_id: modules.get(material.name) ?? 0 }))
    const course = { name, status: "publish" as const, modules: rows }
    const { data } = await client.POST("/api/course/create", { body: course, headers: keyOf(name) })
    courses.set(name, data.id)
  })
  return { modules, courses }
}
