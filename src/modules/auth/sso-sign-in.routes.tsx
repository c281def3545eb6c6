import type { Context } from "hono"
import {
  clearServiceCookie,
  PROVIDER_SESSION_COOKIE,
  readServiceCookie,
  setServiceCookie,
  setSessionCookie,
} from "../../access/session.ts"
import { openDatabase } from "../../db/client.ts"
import { UnitOfWork } from "../../db/unit-of-work.ts"
import { createApp } from "../../http/operation.ts"
import { safeRedirectPath } from "../../http/page-input.ts"
import { ApiError } from "../../lib/errors.ts"
import { startPage } from "../../lib/web/academy.ts"
import { baseUrl, errorResponse, NO_STORE } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { formFields, limitBody } from "../../lib/web/body.ts"
import { checkRateLimit } from "../../middleware/authenticate.ts"
import { renderPage } from "../../pages/page.tsx"
import { SignedOutPage, SsoRefusalPage } from "../../pages/sso.page.tsx"
import { providerSignOut, signOutByProvider } from "./sso-logout.queries.ts"
import { SsoRefusal } from "./sso-refusal.ts"
import { beginSignIn, finishSignIn } from "./sso-sign-in.queries.ts"
import { SSO_STATE_LIFETIME } from "./sso-state.ts"

export const ssoSignIn = createApp()

/** The cookie of the sign-in in progress; a new sign-in replaces it. */
const COOKIE = "sso"

/** Reads the primary database: a replica may not yet know that a user was disabled. */
function workOnPrimary(c: Context<AppEnv>): UnitOfWork {
  c.set("db", openDatabase(c.env.DB, "first-primary"))
  return new UnitOfWork(c.var.db, c.var.caller, c.env)
}

ssoSignIn.get("/sso/:provider/start", async (c) => {
  await checkRateLimit(c)
  const { url, cookie } = await beginSignIn(c.var.work, baseUrl(c), c.req.param("provider"), c.req.query("next"))
  setServiceCookie(c, COOKIE, cookie, SSO_STATE_LIFETIME)
  return c.redirect(url, 302)
})

ssoSignIn.get("/sso/:provider/callback", async (c) => {
  await checkRateLimit(c)
  const cookie = readServiceCookie(c, COOKIE)
  const { searchParams, origin } = new URL(c.req.url)
  const provider = c.req.param("provider")
  const signedIn = await finishSignIn(workOnPrimary(c), baseUrl(c), provider, cookie, searchParams)
  const { token, userType, next, providerSession } = signedIn
  clearServiceCookie(c, COOKIE)
  setSessionCookie(c, token, providerSession)
  return c.redirect(safeRedirectPath(next, origin, startPage(c.env, userType)), 303)
})

/** Signing out leads here. A page, because browsers apply the policy for forms to redirects of a form, too. */
ssoSignIn.get("/sso/signed-out", async (c) => {
  const cookie = readServiceCookie(c, PROVIDER_SESSION_COOKIE)
  clearServiceCookie(c, PROVIDER_SESSION_COOKIE)
  const found = await providerSignOut(c.env, baseUrl(c), cookie)
  return found ? renderPage(c, <SignedOutPage {...found} />) : c.redirect("/login", 303)
})

const limit = limitBody(20_000, "The request body is too large.")

ssoSignIn.post("/sso/:provider/backchannel-logout", limit, async (c) => {
  const refuse = (error: unknown) => {
    if (error instanceof ApiError)
      console.warn(JSON.stringify({ event: "logout by a provider refused", error: error.message }))
    return errorResponse(c, error)
  }
  const signOut = async () => {
    const { logout_token: token } = await formFields(c)
    await signOutByProvider(c.var.work, c.req.param("provider"), typeof token === "string" ? token : "")
    return c.body(null, 200, NO_STORE)
  }
  return signOut().catch(refuse)
})

/** Errors are shown as a page; the log has the details under the request id that the page shows. */
ssoSignIn.onError((error, c) => {
  const known = error instanceof SsoRefusal || error instanceof ApiError ? error : undefined
  const { requestId } = c.var
  if (!known) errorResponse(c, error)
  else {
    const details = error instanceof SsoRefusal ? error.details : {}
    const { status, message } = known
    console.warn(JSON.stringify({ event: "sign-in by a provider refused", requestId, status, message, ...details }))
  }
  const wait = error instanceof ApiError ? error.headers["retry-after"] : undefined
  if (wait !== undefined) c.header("retry-after", wait)
  return renderPage(c, <SsoRefusalPage refusal={known} requestId={requestId} />, known?.status ?? 500)
})
