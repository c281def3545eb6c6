import { z } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { Child } from "hono/jsx"
import { ConflictError } from "../../db/commit-errors.ts"
import type { StoredSettings } from "../../db/settings.ts"
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

/** Renders a page for signed-in users; others are redirected to the sign-in page and back. */
async function renderForUser(
  c: Context<AppEnv>,
  read: () => Promise<{ content: Child; academy: StoredSettings | null; language: string | null }>,
) {
  if (await isSignedOut(c)) return redirectToSignIn(c)
  const found = await read().catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 404) return undefined
    throw error
  })
  return found === undefined ? renderPage(c, <UnknownLearningPage />, 404) : renderPage(c, found.content, 200, found)
}

learningPages.get("/course/:slug", (c) =>
  renderForUser(c, async () => {
    const { course, academy } = await getCoursePage(c.var.db, c.var.caller, c.req.param("slug"))
    return { content: <CoursePage course={course} />, academy, language: course.language }
  }),
)

/** The error to show on the page. @throws every other error */
function toRefusal(error: unknown): ApiError {
  if (error instanceof ApiError && !(error instanceof ConflictError)) return error
  throw error
}

const limit = limitBody(4096, "The request body is too large for an enrollment key.")

/** The course page's form: redirects to the course, or shows the page with the error. */
learningPages.post("/course/:slug/enroll", limit, async (c) => {
  const slug = c.req.param("slug")
  const course = `/course/${encodeURIComponent(slug)}`
  if (await isSignedOut(c)) return c.redirect(`/login?next=${encodeURIComponent(course)}`, 303)
  requireOrigin(c)
  const form = await formFields(c)
  const key = selfEnrollment.shape.enrollment_key.safeParse(form.enrollment_key)
  const enrollmentKey = key.success && typeof key.data === "string" ? key.data : undefined
  const refused = await enrollSelf(c.var.work, { slug }, enrollmentKey).then(() => undefined, toRefusal)
  if (!refused) return c.redirect(course, 303)
  for (const [name, value] of Object.entries(refused.headers)) c.header(name, value)
  const { status } = refused
  if (status === 404) return renderPage(c, <UnknownLearningPage />, status)
  const { course: shown, academy } = await getCoursePage(c.var.db, c.var.caller, slug)
  return renderPage(c, <CoursePage course={shown} error={refused} />, status, { academy, language: shown.language })
})

learningPages.get("/learningpath/:slug", (c) =>
  renderForUser(c, async () => {
    const { path, academy } = await getLearningPathPage(c.var.db, c.var.caller, c.req.param("slug"))
    return { content: <LearningPathPage path={path} />, academy, language: path.language }
  }),
)

for (const [operationId, path, subject] of [
  ["showCoursePage", "/course/{slug}", "course with its modules"],
  ["showLearningPathPage", "/learningpath/{slug}", "learning path with its courses"],
] as const)
  learningPages.openAPIRegistry.registerPath({
    operationId,
    method: "get",
    path,
    summary: `Show a ${subject} and the caller's progress`,
    description: "The page that `courseSlug` and `launchSlug` link to, for signed-in users who may see it.",
    tags: ["Learning data"],
    security: [{ bearer: [] }, { session: [] }],
    request: { params: z.object({ slug: z.string() }) },
    responses: {
      200: { description: "The page" },
      302: { description: "Redirect to the sign-in page, and back after signing in" },
      404: { description: "A page: not found, or the caller may not see it" },
      429: errorAnswer(429),
    },
  })
