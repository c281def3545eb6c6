import { createApp, operation } from "../../http/operation.ts"
import { DEFAULT_NAME } from "../../lib/web/academy.ts"
import { brandOf } from "../../lib/web/brand.ts"
import { readStaffHome } from "./staff-home.queries.ts"
import { staffHome as response } from "./staff-home.schemas.ts"

export const staffHome = createApp()

staffHome.openapi(
  operation({
    operationId: "getStaffHome",
    method: "get",
    path: "/api/home",
    summary: "Retrieve everything that the home page of staff shows",
    description:
      "In one request: what a new academy has set up, the activity of the last 30 days and of the 30 before, open " +
      "tasks, and the 8 courses with the most learners.",
    tag: "Reports",
    access: "staff",
    extension: true,
    response,
  }),
  async (c) => {
    const { counts, activity, courses, settings, period } = await readStaffHome(c.var.db, c.var.caller)
    const { courses: courseCount, published, newestDraft, users, ...tasks } = counts
    return c.json(
      {
        setup: {
          isNamed: brandOf(c.env, "", settings).name !== DEFAULT_NAME,
          hasLogo: Boolean(settings?.logoUrl),
          courses: courseCount,
          publishedCourses: published,
          newestDraftId: newestDraft,
          users,
        },
        period,
        enrolled: { current: activity.enrolled, previous: activity.enrolledBefore },
        started: { current: activity.started, previous: activity.startedBefore },
        completed: { current: activity.completed, previous: activity.completedBefore },
        ...tasks,
        courses,
      },
      200,
    )
  },
)
