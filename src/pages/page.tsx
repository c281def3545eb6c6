import type { Context } from "hono"
import { type Child, createContext, useContext } from "hono/jsx"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { hasRole } from "../lib/caller.ts"
import { academyName, appUrl, CONSOLE, LEARNING, REFERENCE, signInUrl } from "../lib/web/academy.ts"
import type { AppEnv } from "../lib/web/app-env.ts"

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ")

/** The API reference sets styles from its script and reads the OpenAPI document: nothing else is let loose for it. */
export const REFERENCE_POLICY = POLICY.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'").concat(
  "; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:",
)

/**
 * The console calls the API, and shows pictures that it read from it or that a person is about to upload. Staff may
 * give a course a picture of another site; the HTML of other people shows none (`rich-text.tsx`).
 * @param content the origin whose packages it frames; undefined: none
 */
export const consolePolicy = (content: string | undefined) =>
  POLICY.replace("img-src 'self' data:", "img-src 'self' data: blob: https:").concat(
    `; connect-src 'self'; font-src 'self'; media-src 'self' blob:; frame-src ${content ?? "'none'"}`,
  )

interface Frame {
  /** The academy's name. */
  site: string
  /** Where the academy begins for whoever comes to it. */
  start: string
  /** Where a learner goes to sign in. */
  signIn: string
  /** People may make accounts of their own. */
  signUp: boolean
  /** Somebody is signed in with a cookie. */
  signedIn: boolean
  /** They work here, rather than learn alone. */
  isStaff: boolean
}

const FrameContext = createContext<Frame>({
  site: "",
  start: "/",
  signIn: "/login",
  signUp: false,
  signedIn: false,
  isStaff: false,
})

/** What every page knows of the academy and of who looks at it. */
export const useFrame = (): Frame => useContext(FrameContext)

/** For whoever is signed in: the way to their own page, and out. It works without JavaScript. */
export const Account = () => {
  const { signedIn, isStaff } = useFrame()
  if (!signedIn) return null
  return (
    <nav aria-label="Your account">
      <a href={LEARNING}>Your learning</a>
      <a href={CONSOLE}>Console</a>
      {isStaff && <a href={REFERENCE}>API reference</a>}
      <form method="post" action="/logout">
        <button type="submit">Sign out</button>
      </form>
    </nav>
  )
}

/** @param site the name of the person's portal, which stands before the academy's */
export const Layout = ({ title, site, children }: { title: string; site?: string | null; children: Child }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{`${title} · ${site || useFrame().site}`}</title>
      <link rel="icon" href="data:," />
      <link rel="stylesheet" href="/assets/pages.css" />
    </head>
    <body>
      <Account />
      {children}
    </body>
  </html>
)

/** Is nobody signed in? A session that has ended is nobody's. */
export async function signedOut(c: Context<AppEnv>): Promise<boolean> {
  return c.var.caller.id === null || ((await c.var.admission)?.revoked ?? false)
}

/** To the sign-in page, and back here from there. */
export const toSignIn = (c: Context<AppEnv>) => {
  const { pathname, search } = new URL(c.req.url)
  return c.redirect(`/login?next=${encodeURIComponent(pathname + search)}`, 302)
}

/** Browsers hold a form's redirect to the policy too: the sign-in form may go on to the academy's application. */
function formsTo(policy: string, application: string | undefined) {
  if (application === undefined || !URL.canParse(application)) return policy
  return policy.replace("form-action 'self'", `form-action 'self' ${new URL(application).origin}`)
}

/** Answers with a page that reaches no other origin and runs no inline script. */
export function answerPage(c: Context<AppEnv>, content: Child, status: ContentfulStatusCode = 200, policy = POLICY) {
  const { env } = c
  const frame: Frame = {
    site: academyName(env),
    start: appUrl(env) ?? "/",
    signIn: signInUrl(env, ""),
    signUp: env.SIGN_UP === "open",
    signedIn: c.var.caller.via === "cookie",
    isStaff: hasRole(c.var.caller, "staff"),
  }
  c.header("content-security-policy", formsTo(policy, appUrl(env)))
  c.header("cache-control", "no-store")
  return c.html(`<!doctype html>${<FrameContext.Provider value={frame}>{content}</FrameContext.Provider>}`, status)
}
