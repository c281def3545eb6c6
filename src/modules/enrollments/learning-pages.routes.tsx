import { z } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { Child } from "hono/jsx"
import { ConflictError } from "../../db/commit-errors.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp } from "../../http/operation.ts"
import { ApiError } from "../../lib/errors.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { formFields, limitBody } from "../../lib/web/body.ts"
import { requireOrigin } from "../../middleware/authenticate.ts"
import { CoursePage, LearningPathPage, UnknownLearningPage } from "../../pages/learning.page.tsx"
import { isSignedOut, redirectToSignIn, renderPage } from "../../pages/page.tsx"
import { selfEnrollment } from "./enrollments.schemas.ts"
import { getCoursePage, getLearningPathPage } from "./learning-pages.queries.ts"
import { enrollSelf } from "./self-enrollment.queries.ts"

export const learningPages = createApp()

/** The page of one record for whoever is signed in; others go to the sign-in page and come back. */
async function shown(c: Context<AppEnv>, content: () => Promise<Child>) {
  if (await isSignedOut(c)) return redirectToSignIn(c)
  const found = await content().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  return found === undefined ? renderPage(c, <UnknownLearningPage />, 404) : renderPage(c, found)
}

learningPages.get("/course/:slug", (c) =>
  shown(c, async () => <CoursePage course={await getCoursePage(c.var.db, c.var.caller, c.req.param("slug"))} />),
)

/** What the person at a page is told. @throws what is no refusal */
function refusal(error: unknown): ApiError {
  if (error instanceof ApiError && !(error instanceof ConflictError)) return error
  throw error
}

const limit = limitBody(4096, "The body is larger than an enrollment key can be.")

/** The course page's form: whoever is enrolled by it sees the course, others why not. */
learningPages.post("/course/:slug/enroll", limit, async (c) => {
  const slug = c.req.param("slug")
  const course = `/course/${encodeURIComponent(slug)}`
  if (await isSignedOut(c)) return c.redirect(`/login?next=${encodeURIComponent(course)}`, 303)
  requireOrigin(c)
  const form = await formFields(c)
  const key = selfEnrollment.shape.enrollment_key.safeParse(form.enrollment_key)
  const given = key.success && typeof key.data === "string" ? key.data : undefined
  const refused = await enrollSelf(c.var.work, { slug }, given).then(() => undefined, refusal)
  if (!refused) return c.redirect(course, 303)
  for (const [name, value] of Object.entries(refused.headers)) c.header(name, value)
  const { message, status } = refused
  if (status === 404) return renderPage(c, <UnknownLearningPage />, status)
  return renderPage(
    c,
    <CoursePage course={await getCoursePage(c.var.db, c.var.caller, slug)} error={message} />,
    status,
  )
})

learningPages.get("/learningpath/:slug", (c) =>
  shown(c, async () => (
    <LearningPathPage path={await getLearningPathPage(c.var.db, c.var.caller, c.req.param("slug"))} />
  )),
)

for (const [operationId, path, what] of [
  ["showCoursePage", "/course/{slug}", "course, its modules"],
  ["showLearningPathPage", "/learningpath/{slug}", "learning path, its courses"],
] as const)
  learningPages.openAPIRegistry.registerPath({
    operationId,
    method: "get",
    path,
    summary: `Show a ${what} and how far the caller is`,
    description: "A page, where `courseSlug` and `launchSlug` lead: for whoever is signed in and may know of it.",
    tags: ["Learning data"],
    security: [{ bearer: [] }, { session: [] }],
    request: { params: z.object({ slug: z.string() }) },
    responses: {
      200: { description: "The page" },
      302: { description: "To the sign-in page, and back from there" },
      404: { description: "A page: there is none that the caller may know of" },
      429: errorAnswer(429),
    },
  })
