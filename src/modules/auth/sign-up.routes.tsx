import type { Context, MiddlewareHandler } from "hono"
import { createApp } from "../../http/operation.ts"
import { pageOperation, readPageInput } from "../../http/page-input.ts"
import { fieldErrors } from "../../http/validation.ts"
import { ApiError, gone } from "../../lib/errors.ts"
import { baseUrl, errorResponse } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { formFields, formFieldsIfRead, isForm, limitBody } from "../../lib/web/body.ts"
import { requireSameOrigin } from "../../middleware/authenticate.ts"
import { clientAddress } from "../../middleware/identify.ts"
import { renderPage } from "../../pages/page.tsx"
import { PasswordNotice, SetPasswordPage } from "../../pages/set-password.page.tsx"
import { META_FIELD, SignUpPage } from "../../pages/sign-up.page.tsx"
import { signUp as begin, confirmSignUp, getSignUp, readSignUpPage } from "./sign-up.queries.ts"
import * as schemas from "./sign-up.schemas.ts"

/** Self-registration, available if SIGN_UP is `open`. */
export const signUp = createApp()

const CONFIRM = "/sign-up/confirm"

const limit = limitBody(65_536, "The request body is too large.")

/** Returns 404 unless sign-up is open. */
const requireOpenSignUp: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.env.SIGN_UP !== "open") throw new ApiError("unknown_path", `There is nothing at ${c.req.path}.`)
  await next()
}
signUp.use("/sign-up", requireOpenSignUp)
signUp.use(CONFIRM, requireOpenSignUp)

/** The fields of the form, with custom fields by key; fields with several values are arrays. */
async function readForm(c: Context<AppEnv>) {
  const all = await formFields(c)
  const metas = Object.entries(all).filter(([name]) => name.startsWith(META_FIELD))
  return {
    ...all,
    customUserMetas: Object.fromEntries(metas.map(([name, value]) => [name.slice(META_FIELD.length), value])),
  }
}

async function readInput(c: Context<AppEnv>): Promise<schemas.SignUp> {
  if (!isForm(c)) return readPageInput(c, schemas.signUp, "the sign-up")
  requireSameOrigin(c)
  const parsed = await schemas.signUp.safeParseAsync(await readForm(c))
  if (!parsed.success) throw fieldErrors(parsed.error)
  return parsed.data
}

signUp.get("/sign-up", async (c) => {
  const { fields, academy } = await readSignUpPage(c.var.db)
  return renderPage(c, <SignUpPage fields={fields} />, 200, { academy })
})

signUp.post("/sign-up", limit, async (c) => {
  const { academy, ...answer } = await begin(c.var.work, baseUrl(c), clientAddress(c), await readInput(c))
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="check-email" text="check-email.sign-up" />, 200, { academy })
    : c.json(answer, 200)
})

signUp.get(CONFIRM, async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is incomplete. Open it from the email again.")
  const { email, academy } = await getSignUp(c.var.work, token)
  return renderPage(c, <SetPasswordPage action={CONFIRM} token={token} email={email} />, 200, { academy })
})

signUp.post(CONFIRM, limit, async (c) => {
  const input = await readPageInput(c, schemas.confirmation, "token and password")
  const { academy, ...answer } = await confirmSignUp(c.var.work, input)
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="sign-up.done" text="sign-up.done-text" />, 200, { academy })
    : c.json(answer, 200)
})

/** Requests of a page get a page: the form again, or an error page. */
signUp.onError(async (error, c) => {
  const isAtPage = c.req.method === "GET" || isForm(c)
  if (!(error instanceof ApiError) || error.status === 404 || !isAtPage) return errorResponse(c, error)
  const { status } = error
  const faults = Object.keys(error.errors ?? {})
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  const form = await formFieldsIfRead(c)
  if (c.req.path === "/sign-up") {
    const { fields, academy } = await readSignUpPage(c.var.db)
    const page = <SignUpPage fields={fields} values={form} error={error} faults={faults} />
    return renderPage(c, page, status, { academy })
  }
  const { token, username } = form
  const email = typeof username === "string" ? username : undefined
  if (status !== 422 || typeof token !== "string")
    return renderPage(c, <PasswordNotice title="error" text={error} />, status)
  const page = <SetPasswordPage action={CONFIRM} token={token} email={email} error={error} faults={faults} />
  return renderPage(c, page, status)
})

signUp.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "signUp",
    path: "/sign-up",
    summary: "Sign up",
    description:
      "Returns 404 unless SIGN_UP is open. Emails a link that confirms the address and expires in 2 days; no account " +
      "exists before. If an account already exists, its user is notified by email and the response is the same. " +
      "`customUserMetas` has the values of the fields that customRegistrationFields returns. Limited to 5 calls per " +
      "email address and 50 per network address in 15 minutes (429).",
    schema: schemas.signUp,
    done: "The request was accepted",
    statuses: [400, 403, 404, 413, 415, 422, 429],
  }),
)

signUp.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "confirmSignUp",
    path: CONFIRM,
    summary: "Confirm a sign-up and set a password",
    description: "The token is part of the link, which works once and expires in 2 days. Creates the account.",
    schema: schemas.confirmation,
    done: "The account was created",
    statuses: [400, 404, 410, 413, 415, 422, 429],
  }),
)
