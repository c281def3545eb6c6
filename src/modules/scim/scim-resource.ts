import type { z } from "@hono/zod-openapi"
import type { Context } from "hono"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { AppEnv } from "../../lib/web/app-env.ts"
import { expectedVersion } from "../../lib/web/etag.ts"
import { bodyOf, idOf, queryOf, resourceAnswer, scimListResponse } from "./scim-http.ts"
import type { Json } from "./scim-names.ts"
import { type createScimApp, scimOperation } from "./scim-operation.ts"
import { readOperations } from "./scim-patch.ts"
import { type Projection, project } from "./scim-projection.ts"
import * as schemas from "./scim-schemas.ts"

type C = Context<AppEnv>

interface Resource {
  meta: { version: string; location: string }
}

/** A resource with its list, creation, retrieval, replacement, update and deletion. */
interface ResourceSpec<Row, Input, Changes> {
  /** Such as `User`: the path is /Users, and the ids of the operations are `listScimUsers` and so on. */
  name: string
  /** The name in summaries: `user`. */
  noun: string
  descriptions: Record<"list" | "create" | "read" | "replace" | "update" | "delete", string>
  body: z.ZodType
  response: z.ZodType
  list: z.ZodType
  toResource: (c: C, row: Row) => Resource & Json
  /** Reads the body of a POST or PUT. */
  readBody: (body: Json) => Input
  /** Reads the operations of a PATCH. */
  readPatch: (operations: ReturnType<typeof readOperations>) => Changes
  findPage: (work: UnitOfWork, query: schemas.ScimListQuery) => Promise<{ rows: Row[]; recordsFiltered: number }>
  find: (work: UnitOfWork, id: number, projection: Projection) => Promise<Row>
  create: (c: C, input: Input) => Promise<Row>
  update: (c: C, id: number, changes: Input | Changes, version: number | undefined) => Promise<Row>
  remove: (c: C, id: number, version: number | undefined) => Promise<void>
}

/** Declares the six operations of a resource. */
export function scimResource<Row, Input, Changes>(
  app: ReturnType<typeof createScimApp>,
  spec: ResourceSpec<Row, Input, Changes>,
) {
  const { name, noun, descriptions, body, response, toResource } = spec
  const query = schemas.resourceQuery
  const all = `/${name}s`
  const one = `${all}/{id}`

  async function answer(c: C, row: Row, status: 200 | 201 = 200) {
    const resource = toResource(c, row)
    return resourceAnswer(c, resource, project(resource, await queryOf(c, query)), status)
  }

  scimOperation(
    app,
    {
      operationId: `listScim${name}s`,
      method: "get",
      path: all,
      summary: `List ${noun}s`,
      description: descriptions.list,
      query: schemas.scimListQuery,
      response: spec.list,
    },
    async (c) => {
      const given = await queryOf(c, schemas.scimListQuery)
      const { rows, recordsFiltered } = await spec.findPage(c.var.work, given)
      const resources = rows.map((row) => project(toResource(c, row), given))
      return scimListResponse(c, recordsFiltered, given.startIndex, resources)
    },
  )

  scimOperation(
    app,
    {
      operationId: `createScim${name}`,
      method: "post",
      path: all,
      summary: `Create a ${noun}`,
      description: descriptions.create,
      query,
      body,
      response,
      status: 201,
    },
    async (c) => answer(c, await spec.create(c, spec.readBody(await bodyOf(c))), 201),
  )

  scimOperation(
    app,
    {
      operationId: `getScim${name}`,
      method: "get",
      path: one,
      summary: `Retrieve a ${noun}`,
      description: descriptions.read,
      query,
      response,
    },
    async (c) => {
      const projection = await queryOf(c, query)
      return answer(c, await spec.find(c.var.work, idOf(c), projection))
    },
  )

  scimOperation(
    app,
    {
      operationId: `replaceScim${name}`,
      method: "put",
      path: one,
      summary: `Replace a ${noun}`,
      description: descriptions.replace,
      query,
      body,
      response,
    },
    async (c) => {
      const input = spec.readBody(await bodyOf(c))
      return answer(c, await spec.update(c, idOf(c), input, expectedVersion(c)))
    },
  )

  scimOperation(
    app,
    {
      operationId: `updateScim${name}`,
      method: "patch",
      path: one,
      summary: `Update a ${noun}`,
      description: descriptions.update,
      query,
      body: schemas.patchBody,
      response,
    },
    async (c) => {
      const changes = spec.readPatch(readOperations(await bodyOf(c)))
      return answer(c, await spec.update(c, idOf(c), changes, expectedVersion(c)))
    },
  )

  scimOperation(
    app,
    {
      operationId: `deleteScim${name}`,
      method: "delete",
      path: one,
      summary: `Delete a ${noun}`,
      description: descriptions.delete,
    },
    async (c) => {
      await spec.remove(c, idOf(c), expectedVersion(c))
      return c.body(null, 204)
    },
  )
}
