import { tracing } from "cloudflare:workers"
import type { Context, Hono, MiddlewareHandler } from "hono"
import { HonoBase } from "hono/hono-base"
import { requestId } from "hono/request-id"
import { getPath } from "hono/utils/url"
import { getMeter, logQueryMetrics } from "./db/meter.ts"
import { withMeter } from "./db/metering.ts"
import { RouteIndex } from "./http/route-index.ts"
import { KnownPathRouter } from "./http/router.ts"
import { now } from "./lib/clock.ts"
import { ApiError, invalidFields, tooLarge } from "./lib/errors.ts"
import { onDemand } from "./lib/on-demand.ts"
import { withOwnUrls } from "./lib/own-urls.ts"
import { errorResponse, fallbackResponse } from "./lib/web/answers.ts"
import type { AppEnv } from "./lib/web/app-env.ts"
import { isContentRequest } from "./lib/web/content-origin.ts"
import { notCrossed, readCrossing, setCrossing, withCrossingAnswer } from "./lib/web/crossing.ts"
import { recordRequestMetrics } from "./lib/web/metrics.ts"
import { foldBrackets, undecodable } from "./lib/web/query-string.ts"
import { isScimPath } from "./lib/web/scim-error.ts"
import { authenticate, isApiRequest } from "./middleware/authenticate.ts"
import { preflight, withCorsHeaders } from "./middleware/cors.ts"
import { secureContent, secureData, securePage } from "./middleware/security-headers.ts"
import { routes } from "./routes.generated.ts"

type RouterName = keyof typeof routes

const notFoundPage = onDemand(() => import("./pages/not-found.page.tsx"))
const openapi = onDemand(() => import("./http/openapi.ts"))
const mcp = onDemand(() => import("./modules/mcp/mcp.routes.ts"))

/**
 * The mount table: one line per router, under the name that its routes file exports. The first request for a router
 * loads it (docs/adr/0009). Run `npm run generate` after changing a path or this table.
 */
const routers: { [Name in RouterName]: () => Promise<{ [Exported in Name]: Hono<AppEnv> }> } = {
  pages: onDemand(() => import("./pages/pages.routes.tsx")),
  sessions: onDemand(() => import("./modules/auth/sessions.routes.tsx")),
  ssoProviders: onDemand(() => import("./modules/auth/sso-providers.routes.ts")),
  ssoSignIn: onDemand(() => import("./modules/auth/sso-sign-in.routes.tsx")),
  devices: onDemand(() => import("./modules/auth/devices.routes.ts")),
  passwords: onDemand(() => import("./modules/auth/passwords.routes.tsx")),
  me: onDemand(() => import("./modules/auth/me.routes.ts")),
  oauth: onDemand(() => import("./modules/auth/oauth.routes.ts")),
  apiKeys: onDemand(() => import("./modules/auth/api-keys.routes.ts")),
  twoFactor: onDemand(() => import("./modules/auth/two-factor.routes.ts")),
  quickEdit: onDemand(() => import("./modules/bulk/quick-edit.routes.ts")),
  users: onDemand(() => import("./modules/users/users.routes.ts")),
  userLookup: onDemand(() => import("./modules/users/user-lookup.routes.ts")),
  userMembership: onDemand(() => import("./modules/billing/user-membership.routes.ts")),
  emailChange: onDemand(() => import("./modules/users/email-change.routes.tsx")),
  signUp: onDemand(() => import("./modules/auth/sign-up.routes.tsx")),
  addresses: onDemand(() => import("./modules/users/addresses.routes.ts")),
  memberships: onDemand(() => import("./modules/billing/memberships.routes.ts")),
  usersExport: onDemand(() => import("./modules/users/users-export.routes.ts")),
  userReportExport: onDemand(() => import("./modules/reports/user-report-export.routes.ts")),
  quizzesExport: onDemand(() => import("./modules/assessments/quiz-export.routes.ts")),
  gradebookExport: onDemand(() => import("./modules/reports/gradebook-export.routes.ts")),
  personalDataExports: onDemand(() => import("./modules/privacy/personal-data-export.routes.ts")),
  erasures: onDemand(() => import("./modules/privacy/erasures.routes.ts")),
  customFields: onDemand(() => import("./modules/users/custom-fields.routes.ts")),
  cards: onDemand(() => import("./modules/billing/cards.routes.ts")),
  orders: onDemand(() => import("./modules/billing/orders.routes.ts")),
  subscriptions: onDemand(() => import("./modules/billing/subscriptions.routes.ts")),
  carts: onDemand(() => import("./modules/billing/carts.routes.ts")),
  consents: onDemand(() => import("./modules/users/consents.routes.ts")),
  reviews: onDemand(() => import("./modules/reviews/reviews.routes.ts")),
  scimUsers: onDemand(() => import("./modules/scim/scim-users.routes.ts")),
  scimGroups: onDemand(() => import("./modules/scim/scim-groups.routes.ts")),
  scimDiscovery: onDemand(() => import("./modules/scim/scim-discovery.routes.ts")),
  userSources: onDemand(() => import("./modules/users/user-sources.routes.ts")),
  emailRules: onDemand(() => import("./modules/users/email-rules.routes.ts")),
  locations: onDemand(() => import("./modules/organizations/locations.routes.ts")),
  groups: onDemand(() => import("./modules/organizations/groups.routes.ts")),
  portals: onDemand(() => import("./modules/organizations/portals.routes.ts")),
  userPortals: onDemand(() => import("./modules/organizations/user-portals.routes.ts")),
  categories: onDemand(() => import("./modules/courses/categories.routes.ts")),
  courses: onDemand(() => import("./modules/courses/courses.routes.ts")),
  modules: onDemand(() => import("./modules/courses/modules.routes.ts")),
  questionBank: onDemand(() => import("./modules/courses/question-bank.routes.ts")),
  quizModules: onDemand(() => import("./modules/courses/quiz-modules.routes.ts")),
  scormModules: onDemand(() => import("./modules/courses/scorm-modules.routes.ts")),
  media: onDemand(() => import("./modules/media/media.routes.ts")),
  mediaUploads: onDemand(() => import("./modules/media/media-uploads.routes.ts")),
  logos: onDemand(() => import("./modules/media/logos.routes.ts")),
  mediaFiles: onDemand(() => import("./modules/media/media-files.routes.ts")),
  assignmentModules: onDemand(() => import("./modules/courses/assignment-modules.routes.ts")),
  classes: onDemand(() => import("./modules/classes/classes.routes.ts")),
  classEnrollments: onDemand(() => import("./modules/classes/class-enrollments.routes.ts")),
  classAttendance: onDemand(() => import("./modules/classes/attendance.routes.ts")),
  classMaterial: onDemand(() => import("./modules/classes/class-material.routes.ts")),
  assignments: onDemand(() => import("./modules/assessments/assignments.routes.ts")),
  submissions: onDemand(() => import("./modules/assessments/submissions.routes.ts")),
  enrollments: onDemand(() => import("./modules/enrollments/enrollments.routes.ts")),
  moduleAccess: onDemand(() => import("./modules/enrollments/module-access.routes.ts")),
  assignmentRules: onDemand(() => import("./modules/assignment-rules/rules.routes.ts")),
  progress: onDemand(() => import("./modules/enrollments/progress.routes.ts")),
  resets: onDemand(() => import("./modules/assessments/resets.routes.ts")),
  quizzes: onDemand(() => import("./modules/assessments/quizzes.routes.ts")),
  quizReports: onDemand(() => import("./modules/assessments/quiz-reports.routes.ts")),
  scorm: onDemand(() => import("./modules/scorm/scorm.routes.ts")),
  scormContent: onDemand(() => import("./modules/scorm/scorm-content.routes.ts")),
  scormReports: onDemand(() => import("./modules/scorm/scorm-reports.routes.ts")),
  bulkUpload: onDemand(() => import("./modules/bulk/bulk-upload.routes.ts")),
  dueDates: onDemand(() => import("./modules/due-dates/due-dates.routes.ts")),
  learningPaths: onDemand(() => import("./modules/enrollments/learning-paths.routes.ts")),
  library: onDemand(() => import("./modules/enrollments/library.routes.ts")),
  home: onDemand(() => import("./modules/home/home.routes.tsx")),
  ownHome: onDemand(() => import("./modules/home/own-home.routes.ts")),
  staffHome: onDemand(() => import("./modules/home/staff-home.routes.ts")),
  learningPages: onDemand(() => import("./modules/enrollments/learning-pages.routes.tsx")),
  reports: onDemand(() => import("./modules/reports/reports.routes.ts")),
  due: onDemand(() => import("./modules/reports/due.routes.ts")),
  dueListExports: onDemand(() => import("./modules/reports/due-export.routes.ts")),
  dueTeamExports: onDemand(() => import("./modules/reports/due-team-export.routes.ts")),
  reportSchedules: onDemand(() => import("./modules/report-schedules/report-schedules.routes.ts")),
  complianceMatrix: onDemand(() => import("./modules/reports/matrix.routes.ts")),
  atRisk: onDemand(() => import("./modules/reports/at-risk.routes.ts")),
  gradebook: onDemand(() => import("./modules/reports/gradebook.routes.ts")),
  matrixExports: onDemand(() => import("./modules/reports/matrix-export.routes.ts")),
  badges: onDemand(() => import("./modules/gamification/badges.routes.ts")),
  gamificationEvents: onDemand(() => import("./modules/gamification/gamification-events.routes.ts")),
  leaderboard: onDemand(() => import("./modules/gamification/leaderboard.routes.ts")),
  notifications: onDemand(() => import("./modules/notifications/notifications.routes.tsx")),
  messages: onDemand(() => import("./modules/notifications/messages.routes.ts")),
  notificationTemplates: onDemand(() => import("./modules/notifications/templates.routes.ts")),
  settings: onDemand(() => import("./modules/settings/settings.routes.ts")),
  announcements: onDemand(() => import("./modules/announcements/announcements.routes.ts")),
  events: onDemand(() => import("./modules/webhooks/events.routes.ts")),
  webhooks: onDemand(() => import("./modules/webhooks/webhooks.routes.ts")),
  audit: onDemand(() => import("./modules/audit/audit.routes.ts")),
  credential: onDemand(() => import("./modules/auth/credential.routes.ts")),
  classReports: onDemand(() => import("./modules/classes/class-reports.routes.ts")),
  calendars: onDemand(() => import("./modules/calendars/calendars.routes.ts")),
  webinars: onDemand(() => import("./modules/classes/webinars.routes.ts")),
  certificateTemplates: onDemand(() => import("./modules/certificates/certificate-templates.routes.ts")),
  certificates: onDemand(() => import("./modules/certificates/certificates.routes.tsx")),
  transcripts: onDemand(() => import("./modules/transcripts/transcripts.routes.tsx")),
  probes: onDemand(() => import("./modules/health/probes.routes.ts")),
  jobs: onDemand(() => import("./modules/health/jobs.routes.ts")),
  diagnostics: onDemand(() => import("./modules/health/diagnostics.routes.ts")),
  openapi: async () => ({ openapi: (await openapi()).documentOf(allRouters) }),
  mcp: async () => ({ mcp: (await mcp()).mcpRouter(dispatchToModule) }),
}

async function load<Name extends RouterName>(name: Name): Promise<Hono<AppEnv>> {
  const exported = await routers[name]()
  return exported[name]
}

/** Loads every router, in the order of the mount table. */
export async function allRouters(): Promise<Map<string, Hono<AppEnv>>> {
  const loaded = new Map<string, Hono<AppEnv>>()
  for (const name of Object.keys(routers)) loaded.set(name, await load(name as RouterName))
  return loaded
}

/** Whether a browser requests a page. API paths always return data. */
const isNavigation = (c: Context<AppEnv>) =>
  ["GET", "HEAD"].includes(c.req.method) && !isApiRequest(c) && (c.req.header("accept") ?? "").includes("text/html")

/** The middleware in its order, in front of a router; without a router, in front of the error alone. */
function withMiddleware(router?: Hono<AppEnv>, createError = unknownPathError): HonoBase<AppEnv> {
  const app = withoutAuthentication(createError)
  app.use((c, next) => (isApiRequest(c) || isScimPath(c.req.path) ? secureData(c, next) : securePage(c, next)))
  app.use(authenticate)
  if (createError === unknownPathError)
    app.notFound(async (c) => {
      const error = createError(c)
      return isNavigation(c) && error.code === "unknown_path"
        ? (await notFoundPage()).renderNotFound(c)
        : errorResponse(c, error)
    })
  return router ? app.route("/", router) : app
}

/** The app without session and rate limit, on which all others are built. */
function withoutAuthentication(createError = unknownPathError): HonoBase<AppEnv> {
  // The base class of Hono: it does not load Hono's own routers.
  const app = new HonoBase<AppEnv>({ router: new KnownPathRouter() })
  app.use(requestId({ headerName: "x-request-id" }))
  app.onError((error, c) => errorResponse(c, error))
  app.notFound((c) => errorResponse(c, createError(c)))
  return app
}

function unknownPathError(c: Context<AppEnv>): ApiError {
  const { method, path } = c.req
  const methods = routeIndex.methodsAt(path)
  if (methods.length === 0) return new ApiError("unknown_path", `No resource exists at ${path}.`)
  const allow = methods.join(", ")
  return new ApiError("method_not_allowed", `${method} is not allowed for this path. Allowed methods: ${allow}.`, {
    headers: { allow },
  })
}

/** The default limit of servers in front of an API; a list's Link header repeats the query string. */
const MAX_URL_LENGTH = 8192

/** The one route without metrics: it does no work. */
const LIVENESS = "/health"

/** The `x-client-version` header of the typed client. */
const CLIENT_VERSION = /^lectern-client\/[\d.]{1,20}$/

/** Routers without session and rate limit, and the middleware that sets their security headers. */
const UNAUTHENTICATED: Partial<Record<RouterName, MiddlewareHandler>> = {
  probes: secureData,
  scormContent: secureContent,
  mediaFiles: secureData,
}

const routeIndex = new RouteIndex(routes)
const unknownPathApp = withMiddleware()
/** The response of the content origin for any other path. */
const unknownContentApp = withoutAuthentication(
  () => new ApiError("unknown_path", "This origin serves packages only."),
).use(secureContent)
const urlTooLongApp = withMiddleware(undefined, () =>
  tooLarge(`The URL is longer than ${MAX_URL_LENGTH} characters. Shorten the query string.`),
)
const invalidEncodingApp = withMiddleware(undefined, (c) =>
  invalidFields(
    Object.fromEntries(undecodable(c.req.url).map((name) => [name, [`${name} must be percent-encoded UTF-8.`]])),
  ),
)
const loadedApps = new Map<RouterName, HonoBase<AppEnv>>()

async function loadApp(name: RouterName): Promise<HonoBase<AppEnv>> {
  const loaded = await load(name)
  const secure = UNAUTHENTICATED[name]
  const app = secure ? withoutAuthentication().use(secure).route("/", loaded) : withMiddleware(loaded)
  loadedApps.set(name, app)
  return app
}

/** Serves one request. Other origins may read the response only if CORS allows it; the content origin has no CORS. */
export async function serve(request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext): Promise<Response> {
  if (isContentRequest(env, request.url)) return handleWithTelemetry(request, env, ctx)
  return preflight(request, env) ?? withCorsHeaders(request, env, await handleWithTelemetry(request, env, ctx))
}

/** Serves one request and records what it cost in the log, the metrics and the trace. */
async function handleWithTelemetry(
  request: Request,
  env: AppEnv["Bindings"],
  ctx: ExecutionContext,
): Promise<Response> {
  const startedAt = now()
  const span = tracing.getActiveSpan()
  // The URL may contain a key, so the trace shows the route instead.
  if (span?.isTraced) span.setAttributes({ "url.full": "", "url.path": "", "url.query": "" })
  let meteredEnv = env
  let response: Response
  try {
    meteredEnv = await withMeter(await withFault(request, env))
    response = await dispatchToModule(request, meteredEnv, ctx)
  } catch (error) {
    response = fallbackResponse(error)
  }
  const { status, headers } = response
  const operation = getMeter(meteredEnv)?.operation
  if (span?.isTraced) span.setAttributes({ "http.route": operation, "url.path": operation })
  if (operation !== LIVENESS)
    recordRequestMetrics(meteredEnv, {
      kind: "request",
      method: request.method,
      requestId: headers.get("x-request-id"),
      client: CLIENT_VERSION.exec(request.headers.get("x-client-version") ?? "")?.[0],
      status,
      ms: now() - startedAt,
      failed: status >= 500 ? 1 : 0,
    })
  return response
}

/**
 * The primary entry, near the database: serves a request that the edge entry forwards. Requests without a valid
 * crossing are not served.
 */
export async function serveCrossing(
  request: Request,
  env: AppEnv["Bindings"],
  ctx: ExecutionContext,
): Promise<Response> {
  const crossed = readCrossing(env, request)
  if (!crossed) return notCrossed()
  const { crossing } = crossed
  // The edge records what the request cost.
  const meteredEnv = await withMeter(await withFault(crossed.request, env))
  setCrossing(meteredEnv, crossing)
  const response = await dispatchToModule(crossed.request, meteredEnv, ctx).catch(fallbackResponse)
  return withCrossingAnswer(meteredEnv, crossing, response)
}

const faultInjection = onDemand(() => import("./db/fault-injection.ts"))

/** The request's bindings. In development a header can make the database fail (docs/operations/reliability.md). */
const withFault = async (request: Request, env: AppEnv["Bindings"]) => {
  const fault = env.ENVIRONMENT === "development" ? request.headers.get("x-fault") : null
  return fault ? (await faultInjection()).injectRequestedFault(env, fault) : env
}

/** Routes one request to its module. Bracket parameters of the query string are folded first. */
async function dispatchToModule(request: Request, env: AppEnv["Bindings"], ctx: ExecutionContext): Promise<Response> {
  if (request.url.length > MAX_URL_LENGTH) return urlTooLongApp.fetch(request, env, ctx)
  if (undecodable(request.url).length > 0) return invalidEncodingApp.fetch(request, env, ctx)
  const url = foldBrackets(request.url)
  const folded = url === request.url ? request : new Request(url, request)
  const found = routeIndex.routerAt(folded.method, getPath(folded))
  const isContentOrigin = isContentRequest(env, folded.url)
  const name = isContentOrigin && found !== "scormContent" ? undefined : found
  const app = name
    ? (loadedApps.get(name) ?? (await loadApp(name)))
    : isContentOrigin
      ? unknownContentApp
      : unknownPathApp
  const response = await withOwnUrls([folded.url, env.BASE_URL], () => app.fetch(folded, env, ctx))
  if (env.METER === "statements" && !getMeter(env)?.forwarded)
    logQueryMetrics(env, "served", { method: folded.method, url: folded.url })
  return response
}
