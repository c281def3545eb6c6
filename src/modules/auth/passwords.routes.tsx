import { setSessionCookie } from "../../access/session.ts"
import { createApp, operation } from "../../http/operation.ts"
import { pageOperation, readPageInput } from "../../http/page-input.ts"
import { ApiError, gone } from "../../lib/errors.ts"
import { startPage } from "../../lib/web/academy.ts"
import { baseUrl, errorResponse } from "../../lib/web/answers.ts"
import { formFieldsIfRead, isForm, limitBody } from "../../lib/web/body.ts"
import { requireSameOrigin } from "../../middleware/authenticate.ts"
import { clientAddress } from "../../middleware/identify.ts"
import { renderPage } from "../../pages/page.tsx"
import { ForgottenPage, PasswordNotice, SetPasswordPage } from "../../pages/set-password.page.tsx"
import { forgotPassword, getLinkOwner, resendNewAccountEmail, setOwnPassword } from "./passwords.queries.ts"
import * as schemas from "./passwords.schemas.ts"
import { signInInvited } from "./sessions.queries.ts"

export const passwords = createApp()

const limit = limitBody(16_384, "The request body is too large.")

passwords.get("/set-password", async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is incomplete. Open it from the email again.")
  const { email, site, academy } = await getLinkOwner(c.var.work, token)
  return renderPage(c, <SetPasswordPage token={token} email={email} site={site} />, 200, { academy })
})

passwords.post("/set-password", limit, async (c) => {
  // A form signs in, so another site must not send it (login CSRF).
  if (isForm(c)) requireSameOrigin(c)
  const input = await readPageInput(c, schemas.newOwnPassword, "token and password")
  const { academy, invited, ...answer } = await setOwnPassword(c.var.work, baseUrl(c), input)
  if (!isForm(c)) return c.json(answer, 200)
  const opened = invited && (await signInInvited(c.var.work, clientAddress(c), baseUrl(c), invited, input.password))
  if (!opened)
    return renderPage(c, <PasswordNotice title="password.done" text="password.done-text" />, 200, { academy })
  setSessionCookie(c, opened.token)
  return c.redirect(startPage(c.env, opened.user.userType), 303)
})

const PAGES = ["/set-password", "/password/forgot"]

const textOf = (field: unknown) => (typeof field === "string" && field ? field : undefined)

passwords.get("/password/forgot", (c) => renderPage(c, <ForgottenPage />))

passwords.post("/password/forgot", limit, async (c) => {
  if (isForm(c)) requireSameOrigin(c)
  const input = await readPageInput(c, schemas.passwordLinkRequest, "the email address")
  const { academy, ...answer } = await forgotPassword(c.var.work, baseUrl(c), clientAddress(c), input)
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="check-email" text="check-email.forgot" />, 200, { academy })
    : c.json(answer, 200)
})

/** Requests of a page get a page: the form again, or an error page. */
passwords.onError(async (error, c) => {
  if (!(error instanceof ApiError) || !PAGES.includes(c.req.path)) return errorResponse(c, error)
  if (c.req.method !== "GET" && !isForm(c)) return errorResponse(c, error)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  // What was typed; empty if the form could not be read.
  const form = await formFieldsIfRead(c)
  const [token, email] = [textOf(form.token), textOf(form.username)]
  if (c.req.path === "/password/forgot")
    return renderPage(c, <ForgottenPage email={textOf(form.email)} error={error} />, error.status)
  const faults = Object.keys(error.errors ?? {})
  return error.status === 422 && token
    ? renderPage(c, <SetPasswordPage token={token} email={email} error={error} faults={faults} />, error.status)
    : renderPage(c, <PasswordNotice title="error" text={error} again />, error.status)
})

passwords.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "setPasswordByLink",
    path: "/set-password",
    summary: "Set a password with a one-time link",
    description:
      "The token is part of the link. It works once and expires in 2 days, or in 1 hour after a forgotten password. " +
      "Setting the password ends the user's sessions. A form with an invited user's first password also signs them in.",
    schema: schemas.newOwnPassword,
    done: "The password was set",
    redirect: "Form requests with an invited user's first password: signed in, redirects to the start page",
    statuses: [400, 403, 410, 413, 415, 422, 429],
  }),
)

passwords.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "requestPasswordLink",
    path: "/password/forgot",
    summary: "Request a password reset link",
    description:
      "The response does not reveal whether the account exists. The link works once and expires in 1 hour. " +
      "Limited to 5 calls per account and 50 per network address in 15 minutes (429).",
    schema: schemas.passwordLinkRequest,
    done: "The request was accepted",
    statuses: [400, 403, 413, 415, 422, 429],
  }),
)

passwords.openapi(
  operation({
    operationId: "resendNewAccountEmail",
    method: "post",
    path: "/api/email/resendNewAccountEmail",
    summary: "Email a user a temporary password",
    description:
      "The password works once and expires in 2 days. " +
      "Signing in with it returns 401 with `setPasswordUrl`, where the " +
      "user sets their own password. Ends the user's sessions. Unknown users are ignored.",
    tag: "Users",
    access: "staff",
    body: schemas.resend,
    response: schemas.resent,
    errors: [409],
  }),
  async (c) => c.json(await resendNewAccountEmail(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)
