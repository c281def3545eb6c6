import { createApp } from "../../http/operation.ts"
import { pageOperation, readPageInput } from "../../http/page-input.ts"
import { ApiError, gone } from "../../lib/errors.ts"
import { errorResponse } from "../../lib/web/answers.ts"
import { isForm, limitBody } from "../../lib/web/body.ts"
import { ConfirmEmailPage } from "../../pages/confirm-email.page.tsx"
import { renderPage } from "../../pages/page.tsx"
import { PasswordNotice } from "../../pages/set-password.page.tsx"
import { confirmEmail, getEmailRequest } from "./email-change.queries.ts"
import * as schemas from "./email-change.schemas.ts"

/** Users confirm their new email address. */
export const emailChange = createApp()

const PATH = "/email/confirm"

const limit = limitBody(16_384, "The request body is too large.")

/** Opening the link shows a form and changes nothing: mail scanners open links too. */
emailChange.get(PATH, async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is incomplete. Open it from the email again.")
  const { email, wanted, site, academy } = await getEmailRequest(c.var.work, token)
  const page = <ConfirmEmailPage token={token} email={email} newEmail={wanted} site={site} />
  return renderPage(c, page, 200, { academy })
})

emailChange.post(PATH, limit, async (c) => {
  const { token } = await readPageInput(c, schemas.emailConfirmation, "the token")
  const { academy, email, ...answer } = await confirmEmail(c.var.work, token)
  return isForm(c)
    ? renderPage(
        c,
        <PasswordNotice title="email-change.done" text="email-change.done-text" params={{ email }} />,
        200,
        { academy },
      )
    : c.json(answer, 200)
})

/** Requests of a page get an error page. */
emailChange.onError((error, c) => {
  const isAtPage = c.req.method === "GET" || isForm(c)
  if (!(error instanceof ApiError) || !isAtPage) return errorResponse(c, error)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  return renderPage(c, <PasswordNotice title="error" text={error} />, error.status)
})

emailChange.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "confirmEmail",
    path: PATH,
    summary: "Confirm a new email address with a one-time link",
    description:
      "The token is part of the link that is mailed to the new address after PUT /api/user/{id}. It works once and " +
      "expires in 24 hours. Confirming ends the user's sessions and sends a notice to the previous address.",
    schema: schemas.emailConfirmation,
    done: "The email address was changed",
    statuses: [400, 410, 413, 415, 422, 429],
  }),
)
