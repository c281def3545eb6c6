import type { Context, MiddlewareHandler } from "hono"
import { invalid } from "../lib/errors.ts"
import type { AppEnv } from "../lib/web/app-env.ts"
import { isMultipart } from "../lib/web/body.ts"

/** The request's Idempotency-Key; undefined without one. @throws 422 */
export function idempotencyKeyOf(c: Context): string | undefined {
  const key = c.req.header("idempotency-key")?.trim()
  if (key !== undefined && !/^[\x21-\x7e]{1,255}$/.test(key))
    throw invalid("Idempotency-Key", "Idempotency-Key must be 1 to 255 printable characters without spaces.")
  return key
}

/** Passes the Idempotency-Key to the unit of work, which answers a repeated request with the stored response. */
export const idempotent: MiddlewareHandler<AppEnv> = async (c, next) => {
  const key = idempotencyKeyOf(c)
  if (key !== undefined) {
    const body = await comparableBody(c)
    const { pathname, search } = new URL(c.req.url)
    const head = new TextEncoder().encode(`${c.req.method} ${pathname}${search}\n`)
    c.var.work.setIdempotencyKey(key, Buffer.concat([head, body]))
  }
  await next()
}

/** The bytes that identify a body. For multipart forms these are the parts, because boundaries are random. */
async function comparableBody(c: Context<AppEnv>): Promise<Uint8Array> {
  const bytes = () => c.req.arrayBuffer().then((buffer) => new Uint8Array(buffer))
  if (!isMultipart(c)) return bytes()
  const form = await c.req.formData()
  const parts: Uint8Array[] = []
  for (const [key, value] of form) {
    const content = Buffer.from(typeof value === "string" ? value : await value.arrayBuffer())
    const head = JSON.stringify([key, typeof value === "string" ? null : value.name, content.length])
    parts.push(Buffer.from(`${head}\n`), content)
  }
  return Buffer.concat(parts)
}
