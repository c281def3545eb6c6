import { OpenAPIHono } from "@hono/zod-openapi"
import { methodNotAllowed } from "hono/method-not-allowed"
import { requestId } from "hono/request-id"
import { secureHeaders } from "hono/secure-headers"
import type { AppEnv } from "./env.ts"
import { gate } from "./gate/gate.middleware.ts"
import { answerTo } from "./lib/answers.ts"
import { ApiError } from "./lib/errors.ts"
import { foldBrackets } from "./lib/input.ts"
import { serveDocument } from "./lib/openapi.ts"
import { addresses } from "./modules/addresses/addresses.routes.ts"
import { bulkUpload } from "./modules/bulk-upload/bulk-upload.routes.ts"
import { cards } from "./modules/cards/cards.routes.ts"
import { carts } from "./modules/carts/carts.routes.ts"
import { consents } from "./modules/consents/consents.routes.ts"
import { courses } from "./modules/courses/courses.routes.ts"
import { customFields } from "./modules/custom-fields/custom-fields.routes.ts"
import { emailRules } from "./modules/email-rules/email-rules.routes.ts"
import { enrolments } from "./modules/enrolments/enrolments.routes.ts"
import { exports } from "./modules/exports/exports.routes.ts"
import { groups } from "./modules/groups/groups.routes.ts"
import { learningPaths } from "./modules/learning-paths/learning-paths.routes.ts"
import { library } from "./modules/library/library.routes.ts"
import { locations } from "./modules/locations/locations.routes.ts"
import { memberships } from "./modules/memberships/memberships.routes.ts"
import { modules } from "./modules/modules/modules.routes.ts"
import { quizModules } from "./modules/modules/quiz-modules.routes.ts"
import { scormModules } from "./modules/modules/scorm-modules.routes.ts"
import { orders } from "./modules/orders/orders.routes.ts"
import { passwords } from "./modules/passwords/passwords.routes.tsx"
import { portals } from "./modules/portals/portals.routes.ts"
import { userPortals } from "./modules/portals/user-portals.routes.ts"
import { progress } from "./modules/progress/progress.routes.ts"
import { quizReports } from "./modules/quizzes/quiz-reports.routes.ts"
import { quizzes } from "./modules/quizzes/quizzes.routes.ts"
import { reports } from "./modules/reports/reports.routes.ts"
import { reviews } from "./modules/reviews/reviews.routes.ts"
import { scorm } from "./modules/scorm/scorm.routes.ts"
import { scormContent } from "./modules/scorm/scorm-content.routes.ts"
import { scormReports } from "./modules/scorm/scorm-reports.routes.ts"
import { sessions } from "./modules/sessions/sessions.routes.tsx"
import { subscriptions } from "./modules/subscriptions/subscriptions.routes.ts"
import { twoFactor } from "./modules/two-factor/two-factor.routes.ts"
import { userSources } from "./modules/user-sources/user-sources.routes.ts"
import { userMembership } from "./modules/users/user-membership.routes.ts"
import { users } from "./modules/users/users.routes.ts"
import { pages } from "./pages/pages.routes.tsx"

export const app = new OpenAPIHono<AppEnv>()

app.use(requestId({ headerName: "x-request-id" }))
app.use(secureHeaders({ crossOriginResourcePolicy: "same-origin", referrerPolicy: "same-origin" }))
app.use(gate)
app.use(
  methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) =>
      c.json(
        new ApiError(405, `${c.req.method} is not a method of this path; it has ${methods.join(", ")}.`).body(),
        405,
        { allow: methods.join(", ") },
      ),
  }),
)

app.onError((error, c) => answerTo(c, error))
app.notFound((c) => c.json(new ApiError(404, `There is nothing at ${c.req.path}.`).body(), 404))

app.route("/", pages)
app.route("/", sessions)
app.route("/", passwords)
app.route("/", twoFactor)
app.route("/", users)
app.route("/", userMembership)
app.route("/", addresses)
app.route("/", memberships)
app.route("/", exports)
app.route("/", customFields)
app.route("/", cards)
app.route("/", orders)
app.route("/", subscriptions)
app.route("/", carts)
app.route("/", consents)
app.route("/", reviews)
app.route("/", userSources)
app.route("/", emailRules)
app.route("/", locations)
app.route("/", groups)
app.route("/", portals)
app.route("/", userPortals)
app.route("/", courses)
app.route("/", modules)
app.route("/", quizModules)
app.route("/", scormModules)
app.route("/", enrolments)
app.route("/", progress)
app.route("/", quizzes)
app.route("/", quizReports)
app.route("/", scorm)
app.route("/", scormContent)
app.route("/", scormReports)
app.route("/", bulkUpload)
app.route("/", learningPaths)
app.route("/", library)
app.route("/", reports)
serveDocument(app)

/** Serves one request, its query string folded into the plain forms first. */
export function serve(request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext) {
  const url = foldBrackets(request.url)
  return app.fetch(url === request.url ? request : new Request(url, request), env, ctx)
}
