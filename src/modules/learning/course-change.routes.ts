import { createApp, operation } from "../../http/operation.ts"
import { message } from "../../http/records.ts"
import { demandedVersion } from "../../lib/web/etag.ts"
import { updateCourse } from "../catalogue/courses.queries.ts"
import { courseChanges } from "../catalogue/courses.schemas.ts"
import { recountRegistrations } from "./registrations.queries.ts"

// A change of a course: here, because registrations are counted again where its modules change.

export const courseChange = createApp()

courseChange.openapi(
  operation({
    operationId: "updateCourse",
    method: "put",
    path: "/api/course/{id}",
    summary: "Change a course",
    description: [
      "modules replaces the course's modules: what learners did is counted again, no percent falls and no",
      "Completed is undone.",
    ].join(" "),
    tag: "Courses",
    access: "staff",
    extension: true,
    body: courseChanges,
    answer: message,
    errors: [412],
  }),
  async (c) => {
    const { id } = c.req.valid("param")
    const changed = await updateCourse(c.var.work, id, c.req.valid("json"), recountRegistrations, demandedVersion(c))
    return c.json(changed, 200)
  },
)
