import type { Context } from "hono"
import type { z } from "zod"
import { validationHook } from "../../http/validation.ts"
import { malformed, notFound } from "../../lib/errors.ts"
import { fingerprint } from "../../lib/text/fingerprint.ts"
import { readJson } from "../../lib/text/json.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { decodeBody } from "../../lib/web/body.ts"
import { SCIM_TYPE } from "../../lib/web/scim-error.ts"
import { isObject, type Json, LIST_SCHEMA } from "./scim-names.ts"

// The input and the responses of SCIM operations.

type C = Context<AppEnv>

/** The JSON object of the body. @throws 400 `invalidSyntax` */
export async function bodyOf(c: C): Promise<Json> {
  const read = readJson((await decodeBody(c)) ?? "")
  if (!isObject(read)) throw malformed("The body is not a valid JSON object.")
  return read
}

/** The query parameters. @throws 400 `invalidValue` */
export async function queryOf<T extends z.ZodType>(c: C, schema: T): Promise<z.output<T>> {
  const found = schema.safeParse(c.req.query())
  if (!found.success) {
    await validationHook({ success: false, target: "query", error: found.error }, c)
    throw found.error
  }
  return found.data
}

/** The id in the path. @throws 404 for a number that no id can have */
export function idOf(c: C): number {
  const id = Number(c.req.param("id"))
  if (!Number.isSafeInteger(id)) throw notFound("resource")
  return id
}

const location = (c: C, path: string) => `${baseUrl(c)}/scim/v2${path}`

interface Stored {
  version: number
  createdAt: number
  updatedAt: number
}

/** A resource's metadata. The version covers what other records show in the resource, such as members. */
export function withMeta<T extends Json>(
  c: C,
  resourceType: "User" | "Group",
  row: Stored & { id: number },
  content: T,
) {
  const meta = {
    resourceType,
    created: new Date(row.createdAt).toISOString(),
    lastModified: new Date(row.updatedAt).toISOString(),
    location: location(c, `/${resourceType}s/${row.id}`),
  }
  const version = `W/"${row.version}-${fingerprint(JSON.stringify(content))}"`
  return { ...content, meta: { ...meta, version } }
}

export const refTo = (c: C, resourceType: "User" | "Group", id: number | string) =>
  location(c, `/${resourceType}s/${id}`)

/** A response in SCIM's media type. */
export const scimAnswer = (c: C, body: object, status: 200 | 201 = 200, headers: Record<string, string> = {}) =>
  c.body(JSON.stringify(body), status, { "content-type": SCIM_TYPE, ...headers })

/** A page of a list. */
export const scimListResponse = (c: C, total: number, startIndex: number, resources: object[]) =>
  scimAnswer(c, {
    schemas: [LIST_SCHEMA],
    totalResults: total,
    startIndex,
    itemsPerPage: resources.length,
    Resources: resources,
  })

/** A resource with its ETag; 304 if the client has it. */
export function resourceAnswer(
  c: C,
  resource: { meta: { version: string; location: string } },
  shown: object,
  status: 200 | 201 = 200,
) {
  const { version, location } = resource.meta
  const headers = { etag: version, ...(status === 201 && { location }) }
  const known = c.req
    .header("if-none-match")
    ?.split(",")
    .map((tag) => tag.trim())
  if (c.req.method === "GET" && known?.some((tag) => tag === "*" || tag === version))
    return c.body(null, 304, { etag: version })
  return scimAnswer(c, shown, status, headers)
}
