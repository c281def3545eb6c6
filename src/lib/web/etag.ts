import type { Context, MiddlewareHandler } from "hono"
import type { ContentfulStatusCode } from "hono/utils/http-status"
import { preconditionFailed } from "../errors.ts"
import { fingerprint } from "../text/fingerprint.ts"
import type { AppEnv } from "./app-env.ts"

/**
 * Sets the ETag of a record: its version, which `If-Match` checks, and a fingerprint of the response, which changes
 * even if the record does not (relative times).
 */
export function setEtag(c: Context<AppEnv>, version: number, answer: object) {
  c.header("etag", `"${version}-${fingerprint(JSON.stringify(answer))}"`)
}

/** A record's response with its ETag. */
export function withEtag<Row extends { version: number }, T extends object>(
  c: Context<AppEnv>,
  row: Row,
  toAnswer: (row: Row) => T,
): T {
  const answer = toAnswer(row)
  setEtag(c, row.version, answer)
  return answer
}

/** The version of a list that is replaced as a whole: it has no version of its own, so its content is one. */
export const contentVersion = (answer: object): number =>
  Number.parseInt(fingerprint(JSON.stringify(answer)).slice(0, 10), 36)

/**
 * The version in `If-Match`; undefined: any. Cloudflare marks the tag of a compressed response as weak (`W/`): the
 * version in it is the same.
 * @throws 412 for an unknown tag
 */
export function expectedVersion(c: Context<AppEnv>): number | undefined {
  const header = c.req.header("if-match")?.trim()
  if (!header || header === "*") return undefined
  const version = /^(?:W\/)?"(\d+)-[\w-]+"$/.exec(header)?.[1]
  if (!version) throw preconditionFailed()
  return Number(version)
}

/**
 * Tags successful JSON responses with a fingerprint of their text. Hono's `etag()`, which then compares the tag with
 * `If-None-Match`, would read and hash a copy of the response.
 */
export const weakEtag: MiddlewareHandler<AppEnv> = (c, next) => {
  const json = (value: unknown, status?: ContentfulStatusCode, headers?: Record<string, string>) => {
    const text = JSON.stringify(value)
    const tag = status === 200 && { etag: `W/"${fingerprint(text)}"` }
    return c.body(text, status, { "content-type": "application/json", ...headers, ...tag })
  }
  c.json = json as unknown as Context["json"]
  return next()
}
