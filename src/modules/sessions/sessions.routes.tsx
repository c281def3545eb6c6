import type { Context } from "hono"
import { bodyLimit } from "hono/body-limit"
import type { AppEnv } from "../../env.ts"
import { clientAddress, requireOrigin } from "../../gate/gate.middleware.ts"
import { clearSessionCookie, setSessionCookie } from "../../gate/session.ts"
import { answerTo, baseUrl } from "../../lib/answers.ts"
import { formOrJson, isForm } from "../../lib/body.ts"
import { ApiError, forbidden, tooLarge } from "../../lib/errors.ts"
import { createApp, errorAnswer } from "../../lib/operation.ts"
import { fieldErrors } from "../../lib/validation.ts"
import { LoginPage } from "../../pages/login.page.tsx"
import { page } from "../../pages/page.tsx"
import { signIn, signOut } from "./sessions.queries.ts"
import { type Credentials, credentials, session } from "./sessions.schemas.ts"

export const sessions = createApp()

/** Where a form goes on to: a path of this origin, else the API reference. */
export function safeNext(next: string | undefined, origin: string): string {
  if (!next?.startsWith("/")) return "/docs"
  const target = URL.canParse(next, origin) ? new URL(next, origin) : undefined
  // Of `/.//elsewhere` the URL makes the path `//elsewhere`: to a browser another origin.
  const own = target?.origin === origin && !target.pathname.startsWith("//")
  return own ? `${target.pathname}${target.search}${target.hash}` : "/docs"
}

async function readCredentials(c: Context<AppEnv>): Promise<Credentials> {
  const read = credentials.safeParse(await formOrJson(c, "the credentials"))
  if (!read.success) throw fieldErrors(read.error)
  return read.data
}

const limit = bodyLimit({
  maxSize: 16_384,
  onError: () => {
    throw tooLarge("The body is larger than a sign-in can be.")
  },
})

sessions.get("/login", (c) => page(c, <LoginPage next={c.req.query("next")} />))

sessions.post("/login", limit, async (c) => {
  const form = isForm(c)
  if (c.req.header("sec-fetch-site") === "cross-site") throw forbidden("Sign in from this origin's own page.")

  let next: string | undefined
  let email: string | undefined
  try {
    const given = await readCredentials(c)
    next = given.next
    email = given.email
    const opened = await signIn(c.var.work, clientAddress(c), baseUrl(c), given)
    c.header("cache-control", "no-store")
    if (!form) return c.json(opened, 200)
    setSessionCookie(c, opened.token)
    return c.redirect(safeNext(next, new URL(c.req.url).origin), 303)
  } catch (error) {
    if (!form || !(error instanceof ApiError)) return answerTo(c, error)
    const { twoFactorRequired, setPasswordUrl } = error.extra
    if (typeof setPasswordUrl === "string") return c.redirect(setPasswordUrl, 303)
    for (const [name, value] of Object.entries(error.headers)) if (name !== "www-authenticate") c.header(name, value)
    return page(
      c,
      <LoginPage next={next} email={email} error={error.message} askForCode={twoFactorRequired === true} />,
      error.status,
    )
  }
})

sessions.post("/logout", async (c) => {
  requireOrigin(c)
  // A session that has ended may not end those that came after it.
  if (!(await c.var.admission)?.revoked) await signOut(c.var.work)
  const viaCookie = c.var.caller.via === "cookie"
  clearSessionCookie(c)
  return viaCookie ? c.redirect("/login", 303) : c.json({ message: "Signed out." }, 200)
})

sessions.openAPIRegistry.registerPath({
  method: "post",
  path: "/login",
  summary: "Open a session",
  description:
    "JSON answers with a bearer token; a form answers 303 to `next` and sets the cookie `session`. Ten failures for an account or from a network address within 15 minutes: 429. With two-factor on and no `code`: 401 with `twoFactorRequired`. A temporary password opens no session: 401 with `passwordChangeRequired` and `setPasswordUrl`, a form 303 to it.",
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
    ...Object.fromEntries(([400, 401, 413, 415, 422, 429] as const).map((status) => [status, errorAnswer(status)])),
  },
})

sessions.openAPIRegistry.registerPath({
  method: "post",
  path: "/logout",
  summary: "End the caller's sessions",
  tags: ["Sessions"],
  security: [{ bearer: [] }, { session: [] }, {}],
  responses: {
    200: { description: "Signed out" },
    303: { description: "A cookie session: on to the login page" },
    403: errorAnswer(403),
  },
})
