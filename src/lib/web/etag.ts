import type { Context } from "hono"
import { preconditionFailed } from "../errors.ts"
import { fingerprint } from "../text/fingerprint.ts"
import type { AppEnv } from "./app-env.ts"

/**
 * The ETag of one record's answer: its version, which `If-Match` is held against, and a fingerprint of the answer,
 * which alone tells whether a copy may be used again (relative times change without the record).
 */
export function setEtag(c: Context<AppEnv>, version: number, answer: object) {
  c.header("etag", `"${version}-${fingerprint(JSON.stringify(answer))}"`)
}

/** A record as it is answered, with its ETag. */
export function withEtag<Row extends { version: number }, T extends object>(
  c: Context<AppEnv>,
  row: Row,
  toAnswer: (row: Row) => T,
): T {
  const answer = toAnswer(row)
  setEtag(c, row.version, answer)
  return answer
}

/** The version that the call's `If-Match` demands; undefined: any. @throws 412 for a tag that is none of ours. */
export function expectedVersion(c: Context<AppEnv>): number | undefined {
  const header = c.req.header("if-match")?.trim()
  if (!header || header === "*") return undefined
  const version = /^"(\d+)-[\w-]+"$/.exec(header)?.[1]
  if (!version) throw preconditionFailed()
  return Number(version)
}
