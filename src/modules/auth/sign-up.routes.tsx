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
import { signUp as begin, confirmSignUp, getSignUp, signUpFields } from "./sign-up.queries.ts"
import * as schemas from "./sign-up.schemas.ts"

/** People make accounts of their own, where SIGN_UP is `open`. */
export const signUp = createApp()

const CONFIRM = "/sign-up/confirm"

const limit = limitBody(65_536, "The body is larger than a sign-up can be.")

/** Elsewhere than in an academy that is open there are no such pages. */
const whereOpen: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (c.env.SIGN_UP !== "open") throw new ApiError("unknown_path", `There is nothing at ${c.req.path}.`)
  await next()
}
signUp.use("/sign-up", whereOpen)
signUp.use(CONFIRM, whereOpen)

/** The form's fields: custom fields' by their key, of which those with several answers are arrays. */
async function formGiven(c: Context<AppEnv>) {
  const all = await formFields(c)
  const metas = Object.entries(all).filter(([name]) => name.startsWith(META_FIELD))
  return {
    ...all,
    customUserMetas: Object.fromEntries(metas.map(([name, value]) => [name.slice(META_FIELD.length), value])),
  }
}

async function given(c: Context<AppEnv>): Promise<schemas.SignUp> {
  if (!isForm(c)) return readPageInput(c, schemas.signUp, "who signs up")
  requireSameOrigin(c)
  const read = await schemas.signUp.safeParseAsync(await formGiven(c))
  if (!read.success) throw fieldErrors(read.error)
  return read.data
}

signUp.get("/sign-up", async (c) => renderPage(c, <SignUpPage fields={await signUpFields(c.var.db)} />))

signUp.post("/sign-up", limit, async (c) => {
  const answer = await begin(c.var.work, baseUrl(c), clientAddress(c), await given(c))
  return isForm(c)
    ? renderPage(c, <PasswordNotice title="Look into your mail" text={answer.message} />)
    : c.json(answer, 200)
})

signUp.get(CONFIRM, async (c) => {
  const token = c.req.query("token")
  if (!token) throw gone("link_expired", "This link is not complete. Open it from the email again.")
  const { email } = await getSignUp(c.var.work, token)
  return renderPage(c, <SetPasswordPage action={CONFIRM} token={token} email={email} />)
})

signUp.post(CONFIRM, limit, async (c) => {
  const input = await readPageInput(c, schemas.confirmation, "token and password")
  const answer = await confirmSignUp(c.var.work, input)
  return isForm(c) ? renderPage(c, <PasswordNotice title="Welcome" text={answer.message} />) : c.json(answer, 200)
})

/** A person at the page is answered with a page: the form again, or why there is none. */
signUp.onError(async (error, c) => {
  const atPage = c.req.method === "GET" || isForm(c)
  if (!(error instanceof ApiError) || error.status === 404 || !atPage) return errorResponse(c, error)
  const { message: text, status } = error
  const faults = Object.keys(error.errors ?? {})
  for (const [name, value] of Object.entries(error.headers)) c.header(name, value)
  const form = await formFieldsIfRead(c)
  if (c.req.path === "/sign-up") {
    const fields = await signUpFields(c.var.db)
    return renderPage(c, <SignUpPage fields={fields} values={form} error={text} faults={faults} />, status)
  }
  return status === 422 && typeof form.token === "string"
    ? renderPage(c, <SetPasswordPage action={CONFIRM} token={form.token} error={text} faults={faults} />, status)
    : renderPage(c, <PasswordNotice title="This does not work" text={text} />, status)
})

signUp.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "signUp",
    path: "/sign-up",
    summary: "Sign up",
    description:
      "Where SIGN_UP is open, else 404. Mails a link that confirms the email address, for two days; until then " +
      "there is no account. Whoever has one is mailed so, and the answer is alike. customUserMetas answers the " +
      "fields of customRegistrationFields. Five calls for an address in 15 minutes, or fifty from a network " +
      "address: 429.",
    schema: schemas.signUp,
    done: "The call was taken",
    statuses: [400, 403, 404, 413, 415, 422, 429],
  }),
)

signUp.openAPIRegistry.registerPath(
  pageOperation({
    operationId: "confirmSignUp",
    path: CONFIRM,
    summary: "Confirm a sign-up and choose a password",
    description: "The token is the link's: it works once, for two days, and makes the account.",
    schema: schemas.confirmation,
    done: "The call was taken",
    statuses: [400, 404, 410, 413, 415, 422, 429],
  }),
)
