import type { Context } from "hono"
import {
  clearSessionCookie,
  PROVIDER_SESSION_COOKIE,
  readServiceCookie,
  setSessionCookie,
} from "../../access/session.ts"
import { messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp } from "../../http/operation.ts"
import { readPageInput, safeRedirectPath } from "../../http/page-input.ts"
import { ApiError } from "../../lib/errors.ts"
import { startPage } from "../../lib/web/academy.ts"
import { baseUrl, errorResponse } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody, isForm, limitBody } from "../../lib/web/body.ts"
import { requireOrigin, requireSameOrigin } from "../../middleware/authenticate.ts"
import { forward, nearDatabase, primaryFor } from "../../middleware/forward.ts"
import { clientAddress } from "../../middleware/identify.ts"
import { LoginPage } from "../../pages/login.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { readSignInPage } from "./login-providers.queries.ts"
import { signIn, signOut } from "./sessions.queries.ts"
import {
  credentials,
  type SignOutInput,
  session,
  signInElsewhere,
  signInRefused,
  signOutInput,
} from "./sessions.schemas.ts"
import { startUrl } from "./sso-addresses.ts"

export const sessions = createApp()

/** Which sessions a sign-out ends. Without a body, only the current one. */
async function readSignOutInput(c: Context<AppEnv>): Promise<SignOutInput> {
  await decodeBody(c)
  if (!isForm(c) && (await c.req.text()) === "") return { everywhere: undefined }
  return readPageInput(c, signOutInput, "everywhere")
}

/** The invalid fields of a refused sign-in, starting with the one to focus. */
function invalidFieldsOf({ status, errors, extra }: ApiError, withCode: boolean): readonly string[] {
  if (errors) return Object.keys(errors)
  if (status !== 401) return []
  if (!extra.twoFactorRequired) return ["password", "email"]
  return withCode ? ["code"] : []
}

/** Forwards an attempt to sign in, which the edge counts near the client. */
const signInAtPrimary = (c: Context<AppEnv>): Parameters<typeof signIn>[4] =>
  primaryFor(c) && {
    replica: nearDatabase(c),
    attempt: async (epoch) => {
      const forwarded = await forward(c, { epoch, isAttempt: true })
      return forwarded && { verdict: forwarded.answer.verdict ?? "undecided", result: forwarded.response }
    },
  }

const limit = limitBody(16_384, "The request body is too large.")

/** The login providers of the page with their start URLs, and its brand. */
async function signInPage(c: Context<AppEnv>, next: string | undefined) {
  const { providers, ...brand } = await readSignInPage(c.var.db, c.req.query("portal"))
  const query = next ? `?next=${encodeURIComponent(next)}` : ""
  return { doors: providers.map((provider) => ({ ...provider, url: `${startUrl("", provider.slug)}${query}` })), brand }
}

sessions.get("/login", async (c) => {
  const next = c.req.query("next")
  const { doors, brand } = await signInPage(c, next)
  return renderPage(c, <LoginPage next={next} portal={c.req.query("portal")} doors={doors} />, 200, brand)
})

sessions.post("/login", limit, async (c) => {
  const form = isForm(c)
  // Only a form sets a cookie, so only a form could sign in a browser without the user's consent (login CSRF).
  if (form) requireSameOrigin(c)

  let next: string | undefined
  let email: string | undefined
  let code: string | undefined
  try {
    const input = await readPageInput(c, credentials, "the credentials")
    next = input.next
    email = input.email
    code = input.code
    // The session of a browser is its cookie; it cannot store a refresh token.
    const signInInput = form ? { ...input, device: undefined } : input
    const opened = await signIn(c.var.work, clientAddress(c), baseUrl(c), signInInput, signInAtPrimary(c))
    if (opened instanceof Response) return opened
    if (!form) return c.json(opened, 200)
    setSessionCookie(c, opened.token)
    return c.redirect(safeRedirectPath(next, new URL(c.req.url).origin, startPage(c.env, opened.user.userType)), 303)
  } catch (error) {
    if (!form || !(error instanceof ApiError)) return errorResponse(c, error)
    const { twoFactorRequired, setPasswordUrl } = error.extra
    if (typeof setPasswordUrl === "string") return c.redirect(setPasswordUrl, 303)
    for (const [name, value] of Object.entries(error.headers)) if (name !== "www-authenticate") c.header(name, value)
    const { doors, brand } = await signInPage(c, next)
    return renderPage(
      c,
      <LoginPage
        next={next}
        portal={c.req.query("portal")}
        doors={doors}
        email={email}
        error={error}
        faults={invalidFieldsOf(error, code !== undefined)}
        askForCode={twoFactorRequired === true}
      />,
      error.status,
      brand,
    )
  }
})

sessions.post("/logout", limit, async (c) => {
  requireOrigin(c)
  const { everywhere = false } = await readSignOutInput(c)
  await signOut(c.var.work, { everywhere, ended: (await c.var.admission)?.revoked ?? false })
  const viaCookie = c.var.caller.via === "cookie"
  clearSessionCookie(c)
  // What the console stored on this device for offline use: the next person at this device must not find it.
  if (viaCookie) c.header("clear-site-data", '"storage"')
  const next = readServiceCookie(c, PROVIDER_SESSION_COOKIE) === undefined ? "/login" : "/sso/signed-out"
  return viaCookie ? c.redirect(next, 303) : c.json({ message: "Signed out." }, 200)
})

sessions.openAPIRegistry.registerPath({
  operationId: "signIn",
  method: "post",
  path: "/login",
  summary: "Sign in",
  description: [
    "JSON requests get a bearer token; with `device`, also a refresh token for 30 days (`/session/refresh`).",
    "Forms must come from a page of this origin. They get a 303 redirect to `next` and a session cookie.",
    "Limited to ten failures per account and a hundred per network address in 15 minutes (429).",
    "With two-factor authentication on and no `code`: 401 with `twoFactorRequired`.",
    "Users who must sign in with a provider: 403 with `signInUrl`, where that sign-in starts.",
    "Temporary passwords open no session: 401 with `passwordChangeRequired` and `setPasswordUrl`; " +
      "forms get a 303 to it.",
  ].join(" "),
  tags: ["Sessions"],
  security: [],
  request: {
    body: {
      required: true,
      content: {
        "application/json": { schema: credentials },
        "application/x-www-form-urlencoded": { schema: credentials },
      },
    },
  },
  responses: {
    200: { description: "The session", content: { "application/json": { schema: session } } },
    303: { description: "Form requests: signed in, redirects to `next`" },
    401: {
      description: "The credentials are wrong or incomplete",
      content: { "application/json": { schema: signInRefused } },
    },
    403: {
      description: "A form of another origin, or a user who must sign in with a provider",
      content: { "application/json": { schema: signInElsewhere } },
    },
    ...Object.fromEntries(([400, 409, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})

sessions.openAPIRegistry.registerPath({
  operationId: "signOut",
  method: "post",
  path: "/logout",
  summary: "Sign out",
  description: "Without a body, only the session of the request ends; `everywhere` ends all sessions of the user.",
  tags: ["Sessions"],
  security: [{ bearer: [] }, { session: [] }, {}],
  request: {
    body: {
      required: false,
      content: {
        "application/json": { schema: signOutInput },
        "application/x-www-form-urlencoded": { schema: signOutInput },
      },
    },
  },
  responses: {
    200: { description: "Signed out", content: { "application/json": { schema: messageResponse } } },
    303: { description: "Cookie sessions: redirects to the login page" },
    ...Object.fromEntries(([400, 403, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})
