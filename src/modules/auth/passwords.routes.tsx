import { createApp, operation } from "../../http/operation.ts"
import { pageOperation, readPageInput } from "../../http/page-input.ts"
import { ApiError, gone } from "../../lib/errors.ts"
import { baseUrl, errorResponse } from "../../lib/web/answers.ts"
import { formFieldsIfRead, isForm, limitBody } from "../../lib/web/body.ts"
import { requireSameOrigin } from "../../middleware/authenticate.ts"
import { clientAddress } from "../../middleware/identify.ts"
import { renderPage } from "../../pages/page.tsx"
import { ForgottenPage, PasswordNotice, SetPasswordPage } from "../../pages/set-password.page.tsx"
import { forgotPassword, getLinkOwner, resendNewAccountEmail, setOwnPassword } from "./passwords.queries.ts"
import * as schemas from "./passwords.schemas.ts"

export const passwords = createApp()

const limit = limitBody(16_384, "The body is larger than a password can be.")

passwords.get("/set-password", async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is not complete. Open it from the email again.")
  const { email, site } = await getLinkOwner(c.var.work, token)
  return renderPage(c, <SetPasswordPage token={token} email={email} site={site} />)
})

passwords.post("/set-password", limit, async (c) => {
  const input = await readPageInput(c, schemas.newOwnPassword, "token and password")
  const answer = await setOwnPassword(c.var.work, baseUrl(c), input)
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="Your password is set" text="You can sign in with it now." />)
    : c.json(answer, 200)
})

const PAGES = ["/set-password", "/password/forgot"]

passwords.get("/password/forgot", (c) => renderPage(c, <ForgottenPage />))

passwords.post("/password/forgot", limit, async (c) => {
  if (isForm(c)) requireSameOrigin(c)
  const input = await readPageInput(c, schemas.passwordLinkRequest, "the email address")
  const answer = await forgotPassword(c.var.work, baseUrl(c), clientAddress(c), input)
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="Look into your mail" text={answer.message} />)
    : c.json(answer, 200)
})

/** A person at the page is answered with a page: the form again, or why there is none. */
passwords.onError(async (error, c) => {
  if (!(error instanceof ApiError) || !PAGES.includes(c.req.path)) return errorResponse(c, error)
  if (c.req.method !== "GET" && !isForm(c)) return errorResponse(c, error)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  if (c.req.path === "/password/forgot") return renderPage(c, <ForgottenPage error={error.message} />, error.status)
  // Only a form that could be read is refused by its fields.
  const { token } = error.status === 422 ? await formFieldsIfRead(c) : {}
  return typeof token === "string" && token
    ? renderPage(
        c,
        <SetPasswordPage token={token} error={error.message} faults={Object.keys(error.errors ?? {})} />,
        error.status,
      )
    : renderPage(c, <PasswordNotice title="This does not work" text={error.message} again />, error.status)
})

passwords.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "setPasswordByLink",
    path: "/set-password",
    summary: "Choose a password with a one-time link",
    description:
      "The token is the link's. It works once, for two days, or an hour where the password was forgotten. " +
      "It ends the user's sessions.",
    schema: schemas.newOwnPassword,
    done: "The password is set",
    statuses: [400, 410, 413, 415, 422, 429],
  }),
)

passwords.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "requestPasswordLink",
    path: "/password/forgot",
    summary: "Ask for a link to choose a new password",
    description:
      "Answers alike whether or not there is such an account. The link works once, for an hour. " +
      "Five calls for an account within 15 minutes, or fifty from a network address: 429.",
    schema: schemas.passwordLinkRequest,
    done: "The call was taken",
    statuses: [400, 403, 413, 415, 422, 429],
  }),
)

passwords.openapi(
  operation({
    operationId: "resendNewAccountEmail",
    method: "post",
    path: "/api/email/resendNewAccountEmail",
    summary: "Make a new password for a user and mail it to them",
    description:
      "The password works once, within two days: signing in with it answers 401 with `setPasswordUrl`, where the " +
      "user chooses one of their own. Ends the user's sessions. An unknown user is ignored.",
    tag: "Users",
    access: "staff",
    body: schemas.resend,
    answer: schemas.resent,
    errors: [409],
  }),
  async (c) => c.json(await resendNewAccountEmail(c.var.work, baseUrl(c), c.req.valid("json")), 200),
)
