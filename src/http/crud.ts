import { z } from "@hono/zod-openapi"
import type { ZodObject, ZodType } from "zod"
import type { Access } from "../lib/caller.ts"
import { requiredIds } from "../lib/input/input.ts"
import { operation, operationId } from "./operation.ts"
import type { Tag } from "./tags.ts"

// The five operations of a record and their responses. src/db/records.ts reads and changes records.

/** The response to a mutation. */
export const messageResponse = z.object({ message: z.string() }).openapi("Message")
const job = {
  jobId: z.string().optional().openapi({
    description:
      "The background job that completes the change, for `GET /api/job/{id}`. Absent if the change is complete.",
  }),
}
/** The response to a mutation that a background job may have to complete. */
export const changedResponse = messageResponse.extend(job).openapi("Changed")
/** The response to a creation. */
export const createdResponse = z.object({ id: z.number().int(), message: z.string() }).openapi("Created")
/** The response to a creation that a background job may have to complete. */
export const createdWithJobResponse = createdResponse.extend(job).openapi("CreatedWithJob")
/** The body of a bulk deletion. */
export const deletionBody = z.object({ delete_ids: requiredIds() }).openapi("Deletion")

/** The paths of a record's operations, each in full so that a search finds it. */
interface Paths<C, L, R, D> {
  /** `/api/card/create` */
  create: C
  /** `/api/card/tabularlist` */
  list: L
  /** `/api/card/{id}`: read by GET, changed by PUT */
  record: R
  /** `/api/card/delete` */
  delete: D
}

interface RecordSpec<C, L, R, D, New, Made, Changes, Deletion, Query, List, Answer> {
  tag: Tag
  /** Singular with its article, and plural: `["a card", "cards"]`. */
  names: readonly [one: string, many: string]
  paths: Paths<C, L, R, D>
  /** The minimum role to read, to create (default: as to change), and to change or delete. */
  access: { read: Access; create?: Access; change: Access }
  /** API keys may not change such records. */
  persons?: boolean
  newRecord: New
  /** The response to a creation, if it is more than the id. */
  created?: Made
  changes: Changes
  /** The body of a deletion, if it has more than the ids. */
  deletion?: Deletion
  listQuery: Query
  list: List
  record: Answer
  /** Descriptions by operation, if the summary is not enough. */
  describe?: Partial<Record<"create" | "list" | "read" | "change" | "remove", string>>
}

/** Declares the five operations of a record that the API document does not name. */
export function recordOperations<
  const C extends string,
  const L extends string,
  const R extends string,
  const D extends string,
  New extends ZodType,
  Changes extends ZodType,
  Query extends ZodObject,
  List extends ZodType,
  Answer extends ZodType,
  Made extends ZodType = typeof createdResponse,
  Deletion extends ZodType = typeof deletionBody,
>(spec: RecordSpec<C, L, R, D, New, Made, Changes, Deletion, Query, List, Answer>) {
  const { tag, paths, access, describe = {} } = spec
  const [one, many] = spec.names
  const noun = one.replace(/^an? /, "")
  const common = (name: keyof typeof describe) => {
    const description = describe[name]
    return { tag, extension: true, ...(description && { description }) }
  }
  const changing = (name: keyof typeof describe) => ({
    ...common(name),
    ...(spec.persons && { keys: "none" as const }),
  })
  return {
    create: operation({
      ...changing("create"),
      operationId: operationId(`create ${noun}`),
      method: "post",
      path: paths.create,
      summary: `Create ${one}`,
      access: access.create ?? access.change,
      body: spec.newRecord,
      // Without `created` the type parameter has its default.
      response: (spec.created ?? createdResponse) as Made,
      errors: [409],
    }),
    list: operation({
      ...common("list"),
      operationId: operationId(`list ${many}`),
      method: "get",
      path: paths.list,
      summary: `List ${many}`,
      access: access.read,
      query: spec.listQuery,
      response: spec.list,
    }),
    read: operation({
      ...common("read"),
      operationId: operationId(`get ${noun}`),
      method: "get",
      path: paths.record,
      summary: `Read ${one}`,
      access: access.read,
      record: true,
      response: spec.record,
    }),
    change: operation({
      ...changing("change"),
      operationId: operationId(`update ${noun}`),
      method: "put",
      path: paths.record,
      summary: `Change ${one}`,
      access: access.change,
      body: spec.changes,
      response: changedResponse,
      errors: [409, 412],
    }),
    remove: operation({
      ...changing("remove"),
      operationId: operationId(`delete ${many}`),
      method: "post",
      path: paths.delete,
      summary: `Delete ${many}`,
      access: access.change,
      // As for `created`.
      body: (spec.deletion ?? deletionBody) as Deletion,
      response: changedResponse,
      errors: [409],
    }),
  }
}
