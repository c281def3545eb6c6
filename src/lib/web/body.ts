import type { Context, MiddlewareHandler } from "hono"
import { malformed } from "../errors.ts"
import { requireShallow } from "../text/json.ts"
import type { AppEnv } from "./app-env.ts"

const typeOf = (c: Context) => c.req.header("content-type") ?? ""

/** Is the body a form, of either kind? */
export const isForm = (c: Context): boolean =>
  /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i.test(typeOf(c))

/** Is the body JSON? */
export const isJson = (c: Context): boolean => /^application\/json\b/i.test(typeOf(c))

const notAForm = () => {
  throw malformed("The body is not a valid form.")
}

/** The parts of a multipart body. @throws 400 */
export const formOf = (c: Context): Promise<FormData> => c.req.formData().catch(notAForm)

/** Refuses, before anything is read into a body, what cannot be read. @throws 400 */
export const readable: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (/^multipart\/form-data\b/i.test(typeOf(c))) await formOf(c)
  else if (/^application\/([\w.-]+\+)?json\b/i.test(typeOf(c))) requireShallow(await c.req.text())
  await next()
}
