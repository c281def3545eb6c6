import { post } from "../helpers/client.ts"
import { classEnrollment, classOf } from "./classes.ts"
import { group, portal, type UserRow, user } from "./index.ts"
import { course, enrollment, module, moduleStatus } from "./learning.ts"

/** A small academy whose records have the ids 1 to 5. */
export async function smallAcademy() {
  const people: UserRow[] = []
  for (const userType of ["general", "general", "general", "group_admin", "staff"])
    people.push(await user({ userType }))
  const [one, two] = people
  if (!one || !two) throw new Error("No people")
  await group({ admins: [4], members: [1, 2] })
  await group({ members: [3] })
  await portal({ admins: [4], members: [1] })
  const modules = []
  for (const type of ["text", "video", "quiz", "scorm", "assignment"] as const) modules.push(await module({ type }))
  const first = await course(
    {},
    modules.map(({ id }) => ({ moduleId: id })),
  )
  await course()
  await moduleStatus((await enrollment(one, first)).id, 1)
  await enrollment(two, first)
  const trainingClass = await classOf(first, { webinarProvider: "Meet" })
  for (const person of [one, two]) await classEnrollment(person, trainingClass)
  const news = { heading: "News", content: "Text", sending_rules: "all" }
  const rules = [{}, { portalId: 1 }, { sending_rules: "specific_users", user_ids: [1, 2] }]
  for (const input of [...rules, { sending_rules: "specific_course_users", course_ids: [1] }])
    await post("/api/announcement", { ...news, ...input })
}
