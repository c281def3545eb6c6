import { type Context, Hono } from "hono"
import { requestId } from "hono/request-id"
import { secureHeaders } from "hono/secure-headers"
import { getPath } from "hono/utils/url"
import type { AppEnv } from "./env.ts"
import { gate } from "./gate/gate.middleware.ts"
import { answerTo, lastAnswer } from "./lib/answers.ts"
import { ApiError, tooLarge } from "./lib/errors.ts"
import { foldBrackets } from "./lib/query-string.ts"
import { RouteIndex } from "./lib/route-index.ts"
import { routes } from "./routes.generated.ts"

type Family = keyof typeof routes

/**
 * The mount table: one line per family, under the name that its routes file exports. A family is loaded by the first
 * request for it (docs/decisions/0008). After a change of paths or of this table: `npm run routes`.
 */
const families: { [Name in Family]: () => Promise<{ [Exported in Name]: Hono<AppEnv> }> } = {
  pages: () => import("./pages/pages.routes.tsx"),
  sessions: () => import("./modules/sessions/sessions.routes.tsx"),
  passwords: () => import("./modules/passwords/passwords.routes.tsx"),
  twoFactor: () => import("./modules/two-factor/two-factor.routes.ts"),
  users: () => import("./modules/users/users.routes.ts"),
  userMembership: () => import("./modules/users/user-membership.routes.ts"),
  addresses: () => import("./modules/addresses/addresses.routes.ts"),
  memberships: () => import("./modules/memberships/memberships.routes.ts"),
  exports: () => import("./modules/exports/exports.routes.ts"),
  customFields: () => import("./modules/custom-fields/custom-fields.routes.ts"),
  cards: () => import("./modules/cards/cards.routes.ts"),
  orders: () => import("./modules/orders/orders.routes.ts"),
  subscriptions: () => import("./modules/subscriptions/subscriptions.routes.ts"),
  carts: () => import("./modules/carts/carts.routes.ts"),
  consents: () => import("./modules/consents/consents.routes.ts"),
  reviews: () => import("./modules/reviews/reviews.routes.ts"),
  userSources: () => import("./modules/user-sources/user-sources.routes.ts"),
  emailRules: () => import("./modules/email-rules/email-rules.routes.ts"),
  locations: () => import("./modules/locations/locations.routes.ts"),
  groups: () => import("./modules/groups/groups.routes.ts"),
  portals: () => import("./modules/portals/portals.routes.ts"),
  userPortals: () => import("./modules/portals/user-portals.routes.ts"),
  categories: () => import("./modules/categories/categories.routes.ts"),
  courses: () => import("./modules/courses/courses.routes.ts"),
  modules: () => import("./modules/modules/modules.routes.ts"),
  quizModules: () => import("./modules/modules/quiz-modules.routes.ts"),
  scormModules: () => import("./modules/modules/scorm-modules.routes.ts"),
  assignmentModules: () => import("./modules/modules/assignment-modules.routes.ts"),
  classes: () => import("./modules/classes/classes.routes.ts"),
  classEnrolments: () => import("./modules/classes/class-enrolments.routes.ts"),
  classMaterial: () => import("./modules/classes/class-material.routes.ts"),
  assignments: () => import("./modules/assignments/assignments.routes.ts"),
  submissions: () => import("./modules/submissions/submissions.routes.ts"),
  enrolments: () => import("./modules/enrolments/enrolments.routes.ts"),
  progress: () => import("./modules/progress/progress.routes.ts"),
  quizzes: () => import("./modules/quizzes/quizzes.routes.ts"),
  quizReports: () => import("./modules/quizzes/quiz-reports.routes.ts"),
  scorm: () => import("./modules/scorm/scorm.routes.ts"),
  scormContent: () => import("./modules/scorm/scorm-content.routes.ts"),
  scormReports: () => import("./modules/scorm/scorm-reports.routes.ts"),
  bulkUpload: () => import("./modules/bulk-upload/bulk-upload.routes.ts"),
  learningPaths: () => import("./modules/learning-paths/learning-paths.routes.ts"),
  library: () => import("./modules/library/library.routes.ts"),
  learningPages: () => import("./modules/library/learning-pages.routes.tsx"),
  reports: () => import("./modules/reports/reports.routes.ts"),
  badges: () => import("./modules/badges/badges.routes.ts"),
  gamificationEvents: () => import("./modules/gamification-events/gamification-events.routes.ts"),
  leaderboard: () => import("./modules/leaderboard/leaderboard.routes.ts"),
  announcements: () => import("./modules/announcements/announcements.routes.ts"),
  audit: () => import("./modules/audit/audit.routes.ts"),
  credential: () => import("./modules/credential/credential.routes.ts"),
  classReports: () => import("./modules/class-reports/class-reports.routes.ts"),
  webinars: () => import("./modules/webinars/webinars.routes.ts"),
  certificateTemplates: () => import("./modules/certificates/certificate-templates.routes.ts"),
  certificates: () => import("./modules/certificates/certificates.routes.tsx"),
  openapi: async () => ({ openapi: (await import("./lib/openapi.ts")).documentOf(everyFamily) }),
}

async function load<Name extends Family>(name: Name): Promise<Hono<AppEnv>> {
  const exported = await families[name]()
  return exported[name]
}

/** Loads every family, in the order of the mount table: for what is about all of them. */
export async function everyFamily(): Promise<Map<string, Hono<AppEnv>>> {
  const loaded = new Map<string, Hono<AppEnv>>()
  for (const name of Object.keys(families)) loaded.set(name, await load(name as Family))
  return loaded
}

/** The middleware in its order, around a family's operations; without one, around the refusal alone. */
function around(family?: Hono<AppEnv>, refusal = nothingAt): Hono<AppEnv> {
  const app = new Hono<AppEnv>()
  app.use(requestId({ headerName: "x-request-id" }))
  app.use(secureHeaders({ crossOriginResourcePolicy: "same-origin", referrerPolicy: "same-origin" }))
  app.use(gate)
  app.onError((error, c) => answerTo(c, error))
  app.notFound((c) => answerTo(c, refusal(c)))
  return family ? app.route("/", family) : app
}

function nothingAt(c: Context<AppEnv>): ApiError {
  const { method, path } = c.req
  const methods = index.methodsAt(path)
  if (methods.length === 0) return new ApiError(404, `There is nothing at ${path}.`)
  const allow = methods.join(", ")
  return new ApiError(405, `${method} is not a method of this path; it has ${allow}.`, { headers: { allow } })
}

/** What servers in front of an API take of a request's first line by default; a list's Link header repeats it. */
const MOST_URL = 8192

const index = new RouteIndex(routes)
const nothing = around()
const tooLong = around(undefined, () =>
  tooLarge(`The URL is longer than ${MOST_URL} characters. Ask for less at once.`),
)
const ready = new Map<Family, Hono<AppEnv>>()

async function appOf(family: Family): Promise<Hono<AppEnv>> {
  const app = around(await load(family))
  ready.set(family, app)
  return app
}

/** Serves one request, its query string folded into the plain forms first. */
export async function serve(request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext): Promise<Response> {
  try {
    if (request.url.length > MOST_URL) return await tooLong.fetch(request, env, ctx)
    const url = foldBrackets(request.url)
    const plain = url === request.url ? request : new Request(url, request)
    const family = index.familyAt(plain.method, getPath(plain))
    const app = family ? (ready.get(family) ?? (await appOf(family))) : nothing
    return await app.fetch(plain, env, ctx)
  } catch (error) {
    return lastAnswer(error)
  }
}
