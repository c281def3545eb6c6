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

/** People confirm the email address that they asked for. */
export const emailChange = createApp()

const PATH = "/email/confirm"

const limit = limitBody(16_384, "The body is larger than a link's token can be.")

/** A form rather than the change itself: programs that look into mails open their links, too. */
emailChange.get(PATH, async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is not complete. Open it from the email again.")
  const { email, wanted, site } = await getEmailRequest(c.var.work, token)
  return renderPage(c, <ConfirmEmailPage token={token} email={email} newEmail={wanted} site={site} />)
})

emailChange.post(PATH, limit, async (c) => {
  const { token } = await readPageInput(c, schemas.emailConfirmation, "the token")
  const answer = await confirmEmail(c.var.work, token)
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="Your address is changed" text={answer.message} />)
    : c.json(answer, 200)
})

/** A person at the page is answered with a page. */
emailChange.onError((error, c) => {
  const isAtPage = c.req.method === "GET" || isForm(c)
  if (!(error instanceof ApiError) || !isAtPage) return errorResponse(c, error)
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  return renderPage(c, <PasswordNotice title="This does not work" text={error.message} />, error.status)
})

emailChange.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "confirmEmail",
    path: PATH,
    summary: "Confirm one's new email address with a one-time link",
    description:
      "The token is the link's, which is mailed to the address that a user asked for (PUT /api/user/{id}). It works " +
      "once, within a day. It ends the user's sessions, and the address before is mailed a notice.",
    schema: schemas.emailConfirmation,
    done: "The address is the user's now",
    statuses: [400, 410, 413, 415, 422, 429],
  }),
)
