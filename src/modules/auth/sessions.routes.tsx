import type { Context } from "hono"
import { clearSessionCookie, setSessionCookie } from "../../access/session.ts"
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
import { clientAddress } from "../../middleware/identify.ts"
import { LoginPage } from "../../pages/login.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { listLoginProviders } from "./login-providers.queries.ts"
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

/** Which sessions a sign-out ends: this one, where there is no body. */
async function readEnding(c: Context<AppEnv>): Promise<SignOutInput> {
  await decodeBody(c)
  if (!isForm(c) && (await c.req.text()) === "") return { everywhere: undefined }
  return readPageInput(c, signOutInput, "everywhere")
}

/** The fields that a refused sign-in is about, the one to be filled again first. */
function faultsOf({ status, errors, extra }: ApiError, withCode: boolean): readonly string[] {
  if (errors) return Object.keys(errors)
  if (status !== 401) return []
  if (!extra.twoFactorRequired) return ["password", "email"]
  return withCode ? ["code"] : []
}

const limit = limitBody(16_384, "The body is larger than a sign-in can be.")

/** The providers that the page offers, with where each begins. */
async function doorsOf(c: Context<AppEnv>, next: string | undefined) {
  const doors = await listLoginProviders(c.var.db, c.req.query("portal"))
  const query = next ? `?next=${encodeURIComponent(next)}` : ""
  return doors.map((door) => ({ ...door, url: `${startUrl("", door.slug)}${query}` }))
}

sessions.get("/login", async (c) => {
  const next = c.req.query("next")
  return renderPage(c, <LoginPage next={next} portal={c.req.query("portal")} doors={await doorsOf(c, next)} />)
})

sessions.post("/login", limit, async (c) => {
  const form = isForm(c)
  // Only a form sets a cookie, so only a form could sign a browser in behind its user's back.
  if (form) requireSameOrigin(c)

  let next: string | undefined
  let email: string | undefined
  let code: string | undefined
  try {
    const given = await readPageInput(c, credentials, "the credentials")
    next = given.next
    email = given.email
    code = given.code
    // A browser's session is its cookie: it has nobody to keep a refresh token.
    const asked = form ? { ...given, device: undefined } : given
    const opened = await signIn(c.var.work, clientAddress(c), baseUrl(c), asked)
    if (!form) return c.json(opened, 200)
    setSessionCookie(c, opened.token)
    return c.redirect(safeRedirectPath(next, new URL(c.req.url).origin, startPage(c.env, opened.user.userType)), 303)
  } catch (error) {
    if (!form || !(error instanceof ApiError)) return errorResponse(c, error)
    const { twoFactorRequired, setPasswordUrl } = error.extra
    if (typeof setPasswordUrl === "string") return c.redirect(setPasswordUrl, 303)
    for (const [name, value] of Object.entries(error.headers)) if (name !== "www-authenticate") c.header(name, value)
    return renderPage(
      c,
      <LoginPage
        next={next}
        portal={c.req.query("portal")}
        doors={await doorsOf(c, next)}
        email={email}
        error={error.message}
        faults={faultsOf(error, code !== undefined)}
        askForCode={twoFactorRequired === true}
      />,
      error.status,
    )
  }
})

sessions.post("/logout", limit, async (c) => {
  requireOrigin(c)
  const { everywhere = false } = await readEnding(c)
  await signOut(c.var.work, { everywhere, ended: (await c.var.admission)?.revoked ?? false })
  const viaCookie = c.var.caller.via === "cookie"
  clearSessionCookie(c)
  return viaCookie ? c.redirect("/login", 303) : c.json({ message: "Signed out." }, 200)
})

sessions.openAPIRegistry.registerPath({
  operationId: "signIn",
  method: "post",
  path: "/login",
  summary: "Open a session",
  description: [
    "JSON answers with a bearer token; with `device`, also with a refresh token of 30 days (`/session/refresh`).",
    "A form, which only a page of this origin may send, answers 303 to `next` and sets the session cookie.",
    "Ten failures for an account within 15 minutes, or a hundred from a network address: 429.",
    "With two-factor on and no `code`: 401 with `twoFactorRequired`.",
    "Whom a sign-in provider is forced for: 403 with `signInUrl`, where the provider's sign-in begins.",
    "A temporary password opens no session: 401 with `passwordChangeRequired` and `setPasswordUrl`, a form 303 to it.",
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
    303: { description: "A form: signed in, on to `next`" },
    401: {
      description: "The credentials do not hold, or are not enough",
      content: { "application/json": { schema: signInRefused } },
    },
    403: {
      description: "A form of another origin, or somebody whom a provider signs in",
      content: { "application/json": { schema: signInElsewhere } },
    },
    ...Object.fromEntries(([400, 409, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})

sessions.openAPIRegistry.registerPath({
  operationId: "signOut",
  method: "post",
  path: "/logout",
  summary: "End this session, or all of the caller's",
  description: "Without a body it ends the session of the call alone; the user's others go on.",
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
    303: { description: "A cookie session: on to the login page" },
    ...Object.fromEntries(([400, 403, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})
