import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { EVENT_TYPES } from "../../drizzle/events/index.ts"
import { allRouters } from "../../src/app.ts"
import { UNLIMITED } from "../../src/http/openapi-parts.ts"
import { operations } from "../../src/http/operation.ts"
import { get, strictly } from "../helpers/client.ts"

interface Parameter {
  $ref?: string
  name: string
  in: string
  required?: boolean
  style?: string
  explode?: boolean
  schema: Schema
}

interface Entry {
  operationId: string
  summary: string
  tags: string[]
  "x-role"?: string
  "x-badges"?: { name: string }[]
  security?: object[]
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
  responses: Record<string, { $ref?: string; headers?: object; content?: Record<string, { schema: Schema }> }>
}

/** Fields that may be any JSON value: the data of a SCORM package, and the details of an audit row. */
const ANYTHING = new Set(["/components/schemas/Json"])

/** The document of a deployment or of a development server. */
async function documentUnder(ACCESS_POLICY: string) {
  const family = (await allRouters()).get("openapi")
  const answer = await family?.request("/openapi.json", {}, { ACCESS_POLICY })
  return (await answer?.json()) as { paths: Record<string, Record<string, Entry>>; security: object[] }
}

const entriesOf = (document: { paths: Record<string, Record<string, Entry>> }) =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, entry]) => ({ call: `${method} ${path}`, path, method, entry })),
  )

interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  description?: string
  items?: Schema
  enum?: unknown[]
  example?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  allOf?: Schema[]
}

/** Every schema in a part of the OpenAPI document, with its path. */
function* schemasIn(value: unknown, at: string): Generator<[Schema, string]> {
  if (typeof value !== "object" || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const here = `${at}/${key}`
    const isSchema =
      ["schema", "items", "additionalProperties"].includes(key) || /\/(properties|schemas|\w+Of)$/.test(at)
    if (isSchema && typeof member === "object") yield [member as Schema, here]
    if (key !== "example" && key !== "enum" && key !== "default") yield* schemasIn(member, here)
  }
}

/** The types to which a keyword applies. */
const ABOUT: Record<string, string[]> = {
  items: ["array"],
  minItems: ["array"],
  maxItems: ["array"],
  minimum: ["integer", "number"],
  maximum: ["integer", "number"],
  minLength: ["string"],
  maxLength: ["string"],
  pattern: ["string"],
  properties: ["object"],
  required: ["object"],
}

/** The object schema inside preprocessing and transformations. */
function objectOf(schema: z.core.$ZodType | undefined): z.ZodObject | undefined {
  if (schema === undefined || schema instanceof z.ZodObject) return schema
  if (!(schema instanceof z.ZodPipe)) return undefined
  return objectOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
}
/** Parameters that search_param may replace, although they are required. */
const EITHER_PLACE = new Set(["/api/user-activities context"])
const isRequired = (field: unknown) => !(field as z.ZodType).safeParse(undefined).success

// biome-ignore lint/suspicious/noExplicitAny: a reference may be to any part of the document
type Part = any

/** A part of the document with its reference resolved. */
const resolved = (document: Part, part: Part): Part =>
  part.$ref
    ? part.$ref
        .slice(2)
        .split("/")
        .reduce((at: Part, key: string) => at?.[key], document)
    : part

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document of every operation, generated from its declaration", async () => {
    const { body, headers } = await get("/openapi.json")
    expect(headers.get("content-type")).toContain("application/json")
    expect(body.openapi).toBe("3.1.0")
    for (const operation of operations) {
      const entry = body.paths[operation.path]?.[operation.method]
      expect(entry, `${operation.method} ${operation.path}`).toBeTruthy()
      expect(entry["x-role"]).toBe(operation.access)
      expect(entry.summary).toBeTruthy()
      expect(resolved(body, entry.responses[operation.status]).content).toBeTruthy()
      const { content } = resolved(body, entry.responses["429"])
      expect(content["application/json"].schema.$ref).toBe("#/components/schemas/Error")
      if (operation.method !== "get" && entry.requestBody) expect(entry.responses["422"]).toBeTruthy()
    }
  })

  it("has a unique operation id for every operation: a verb and a noun in camel case", async () => {
    const { body } = await get("/openapi.json")
    const taken = new Map<string, string>()
    const faults: string[] = []
    for (const [path, methods] of Object.entries<Record<string, { operationId?: string }>>(body.paths))
      for (const [method, { operationId = "" }] of Object.entries(methods)) {
        const call = `${method} ${path}`
        const before = taken.get(operationId)
        if (before) faults.push(`${call} has the id ${operationId} of ${before}`)
        if (!/^[a-z]+([A-Z][a-z0-9]*)+$/.test(operationId)) faults.push(`${call} has the id "${operationId}"`)
        if (operationId.length > 40) faults.push(`${call} has an id of more than 40 letters`)
        taken.set(operationId, call)
      }
    expect(faults).toEqual([])
  })

  it("declares every path id as a required integer, or text if it is not a number", async () => {
    const { body } = await get("/openapi.json")
    for (const [path, methods] of Object.entries<Record<string, { parameters?: Parameter[] }>>(body.paths))
      for (const entry of Object.values(methods)) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
        const given = (entry.parameters ?? [])
          .map((parameter): Parameter => resolved(body, parameter))
          .filter((parameter) => parameter.in === "path")
        expect(
          given.map((parameter) => parameter.name),
          path,
        ).toEqual(named)
        for (const parameter of given) {
          expect(parameter.required, path).toBe(true)
          expect(["integer", "string"], path).toContain(parameter.schema.type)
        }
      }
  })

  it("has no broken references", async () => {
    const { body } = await get("/openapi.json")
    const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)
    for (const [, kind = "", name = ""] of references) expect(body.components[kind]?.[name], name).toBeTruthy()
  })

  it("has no keywords that do not apply to a type, and types every array", async () => {
    const { body } = await get("/openapi.json")
    const faults: string[] = []
    for (const [schema, at] of schemasIn(body, "")) {
      const types = [schema.type ?? []].flat()
      for (const [keyword, wanted] of Object.entries(ABOUT))
        if (keyword in schema && !wanted.some((type) => types.includes(type)))
          faults.push(`${at} ${keyword} of ${types}`)
      if (types.includes("array") && Object.keys(schema.items ?? {}).length === 0)
        faults.push(`${at} array of anything`)
      if (/any of: \./.test(schema.description ?? "")) faults.push(`${at} ${schema.description}`)
    }
    expect(faults).toEqual([])
  })

  it("has a type for every schema", async () => {
    const { body } = await get("/openapi.json")
    const keywords = ["type", "$ref", "allOf", "anyOf", "oneOf", "enum", "const"]
    const faults: string[] = []
    for (const [schema, at] of schemasIn(body, "")) {
      if (!keywords.some((keyword) => keyword in schema) && !ANYTHING.has(at)) faults.push(`${at} may be anything`)
      if (schema.type === "object" && !("properties" in schema || "additionalProperties" in schema))
        faults.push(`${at} is an object of anything`)
    }
    expect(faults).toEqual([])
  })

  it("describes query parameters as clients send them: comma-separated lists and object members", async () => {
    const { body } = await get("/openapi.json")
    const faults: string[] = []
    let objects = 0
    for (const { call, entry } of entriesOf(body))
      for (const part of entry.parameters ?? []) {
        const { name, style, explode, schema, ...parameter }: Parameter = resolved(body, part)
        if (parameter.in !== "query") continue
        if (schema.type === "array" && (style !== "form" || explode !== false)) faults.push(`${call} ${name} explodes`)
        if (schema.properties) {
          objects++
          if (style !== "deepObject" || schema.type !== "object") faults.push(`${call} ${name} is no deep object`)
          for (const [key, member] of Object.entries(schema.properties))
            if (["array", "object"].includes(String(member.type))) faults.push(`${call} ${name}[${key}] goes too deep`)
        }
      }
    expect(faults).toEqual([])
    expect(objects).toBeGreaterThan(100)
  })

  it("lists the columns of order_by, with one of them as the example", async () => {
    const { body } = await get("/openapi.json")
    const faults: string[] = []
    for (const { call, entry } of entriesOf(body)) {
      const order = entry.parameters?.find((parameter) => parameter.name === "order_by")
      if (!order) continue
      const { enum: columns = [] } = order.schema.properties?.colName ?? {}
      const { colName } = (order.schema.example ?? {}) as { colName?: string }
      if (columns.length === 0 || !columns.includes(colName)) faults.push(call)
    }
    expect(faults).toEqual([])
  })

  it("documents spellings of order_by and search_param that the service accepts", async () => {
    const paging = "page_size=10&page_number=1"
    for (const order of [
      'order_by={"colName":"email"}',
      "order_by[colName]=email&order_by[direction]=asc",
      "order_by=email",
    ])
      expect((await get(`/api/users/tabularlist?${paging}&${order}`)).status).toBe(200)
    for (const search of ['search_param={"userCategoryId":[1,2]}', "search_param[userCategoryId]=1,2"])
      expect((await get(`/api/users/tabularlist?${paging}&${search}`)).status).toBe(200)
    expect((await get(`/api/users/tabularlist?${paging}&search_param[userCategoryId]=a,2`)).status).toBe(422)
  })

  it("has the minimum role of each operation, and every response's headers", async () => {
    const { body } = await get("/openapi.json")
    const faults: string[] = []
    for (const { call, path, entry } of entriesOf(body)) {
      if (entry["x-role"] && entry["x-badges"]?.[0]?.name !== entry["x-role"]) faults.push(`${call} has no badge`)
      for (const [status, answer] of Object.entries(entry.responses)) {
        const { headers = {}, content = {} } = resolved(body, answer)
        if (!("x-request-id" in headers && "RateLimit" in headers !== UNLIMITED.has(path)))
          faults.push(`${call} ${status} lacks headers`)
        const isFile = Object.keys(content).some((type) => !/json|html/.test(type))
        if (isFile && !("Content-Disposition" in headers)) faults.push(`${call} ${status} is a file without a name`)
        if (["302", "303"].includes(status) && !("Location" in headers)) faults.push(`${call} ${status} goes nowhere`)
        if (status === "429" && !("Retry-After" in headers)) faults.push(`${call} ${status} does not say for how long`)
      }
      const lists = entry.parameters?.some((parameter) => resolved(body, parameter).name === "cursor")
      if (lists && !("Link" in resolved(body, entry.responses["200"]).headers)) faults.push(`${call} has no Link`)
    }
    expect(faults).toEqual([])
  })

  it("describes every tag", async () => {
    const { body } = await get("/openapi.json")
    const described = body.tags.map((tag: { name: string }) => tag.name).sort()
    const used = new Set(entriesOf(body).flatMap(({ entry }) => entry.tags))
    expect(described, "TAGS in src/http/tags.ts").toEqual([...used].sort())
    for (const tag of body.tags) expect(tag.description).toMatch(/\.$/)
  })

  it("shares repeated responses and parameters, and has a bounded size", async () => {
    const { body } = await get("/openapi.json")
    for (const { call, entry } of entriesOf(body))
      for (const [status, answer] of Object.entries(entry.responses)) {
        const shape = JSON.stringify(answer.content?.["application/json"]?.schema)
        expect(shape, `${call} ${status}: errorAnswer(${status})`).not.toBe('{"$ref":"#/components/schemas/Error"}')
      }
    const operations = entriesOf(body).length + Object.keys(body.webhooks).length
    expect(JSON.stringify({ ...body, examples: undefined }).length / operations).toBeLessThan(2_300)
  })

  it("has the same token endpoint and scopes as the authorization server's metadata", async () => {
    const { body } = await get("/openapi.json")
    const { body: metadata } = await get("/.well-known/oauth-authorization-server")
    const { tokenUrl, scopes } = body.components.securitySchemes.oauth2.flows.clientCredentials
    expect(new URL(tokenUrl, metadata.issuer).href).toBe(metadata.token_endpoint)
    expect(Object.keys(scopes)).toEqual(metadata.scopes_supported)
  })

  it("requires a credential for every API operation under the access policy `enforced`", async () => {
    const enforced = await documentUnder("enforced")
    expect(enforced.security).toEqual([{ bearer: [] }, { session: [] }])
    for (const { call, path, entry } of entriesOf(enforced)) {
      if (!path.startsWith("/api/")) continue
      expect(entry.security, call).toBeUndefined()
      expect(entry.responses["302"], call).toBeTruthy()
      expect(entry.responses["401"], call).toBeTruthy()
    }
    const open = await documentUnder("documented")
    expect(open.security).toContainEqual({})
    const closed = entriesOf(open).filter(({ entry }) => entry.security?.every((way) => Object.keys(way).length > 0))
    const needed = operations.filter(({ signedIn }) => signedIn)
    expect(
      closed
        .filter(({ path }) => path.startsWith("/api/"))
        .map(({ call }) => call)
        .sort(),
    ).toEqual(needed.map(({ method, path }) => `${method} ${path}`).sort())
  })

  it("shows examples that the schemas of the operations accept", async () => {
    const { body: document } = await get("/openapi.json")
    const entries = new Map(entriesOf(document).map(({ entry }) => [entry.operationId, entry]))
    const problems: string[] = []
    const routes = [...(await allRouters()).values()].flatMap((family) =>
      ((family as OpenAPIHono).openAPIRegistry?.definitions ?? []).flatMap((definition) =>
        definition.type === "route" ? [definition.route as RouteConfig] : [],
      ),
    )
    for (const { operationId = "", request, responses } of routes) {
      const entry = entries.get(operationId)
      const requested = (entry?.requestBody?.content ?? {}) as Record<string, { example?: unknown }>
      const bodies = Object.entries(request?.body?.content ?? {}) as [string, { schema: z.ZodType }][]
      for (const [type, { schema }] of bodies) {
        const read = schema.safeParse(requested[type]?.example)
        if (!read.success && !type.startsWith("multipart"))
          problems.push(
            `${operationId} refuses its example: ${JSON.stringify(requested[type]?.example)} ${read.error.message}`,
          )
      }
      const { content } = (responses["200"] ?? responses["201"] ?? {}) as { content?: Record<string, { schema: Part }> }
      const answer = content?.["application/json"]?.schema
      if (!answer) continue
      const shown = resolved(document, entry?.responses["200"] ?? entry?.responses["201"]).content
      const read = strictly(answer).safeParse(shown?.["application/json"]?.example)
      if (!read.success) problems.push(`${operationId} does not answer its example: ${read.error.message}`)
    }
    expect(problems).toEqual([])
    expect(routes.length).toBeGreaterThan(280)
  })

  it("has an example of every request and answer", async () => {
    const { body } = await get("/openapi.json")
    for (const { call, entry } of entriesOf(body)) {
      const asked = Object.values(entry.requestBody?.content ?? {}) as { example?: unknown }[]
      const needed = (entry.requestBody as { required?: boolean } | undefined)?.required
      if (needed) for (const one of asked) expect(one.example, call).toBeDefined()
      const { content } = resolved(body, entry.responses["200"] ?? entry.responses["201"] ?? {})
      if (content?.["application/json"]) expect(content["application/json"].example, call).toBeDefined()
    }
  })

  it("declares exactly the required parameters and fields as required", async () => {
    const { body: document } = await get("/openapi.json")
    const whole = (schema: Schema): { properties: string[]; required: string[] } => {
      const known = schema.$ref ? document.components.schemas[schema.$ref.split("/").at(-1) ?? ""] : schema
      const parts = (known.allOf ?? []).map(whole)
      return {
        properties: [...Object.keys(known.properties ?? {}), ...parts.flatMap((part: Schema) => part.properties)],
        required: [...(known.required ?? []), ...parts.flatMap((part: Schema) => part.required)],
      }
    }
    const faults: string[] = []
    let looked = 0
    for (const family of (await allRouters()).values())
      for (const definition of (family as OpenAPIHono).openAPIRegistry?.definitions ?? []) {
        if (definition.type !== "route") continue
        const { method, path, request } = definition.route as RouteConfig
        const entry = document.paths[path][method]
        const query = objectOf(request?.query as z.ZodType | undefined)
        for (const [name, field] of Object.entries(query?.shape ?? {})) {
          const parameter = entry.parameters
            .map((one: Parameter) => resolved(document, one))
            .find((one: Parameter) => one.name === name && one.in === "query")
          if ((parameter?.required ?? false) !== isRequired(field) && !EITHER_PLACE.has(`${path} ${name}`))
            faults.push(`${method} ${path} ${name}`)
          looked++
        }
        for (const [type, content] of Object.entries(request?.body?.content ?? {})) {
          const declared = whole(entry.requestBody.content[type].schema)
          for (const [name, field] of Object.entries(
            objectOf((content as { schema: z.ZodType }).schema)?.shape ?? {},
          )) {
            if (!declared.properties.includes(name)) faults.push(`${method} ${path} body lacks ${name}`)
            if (declared.required.includes(name) !== isRequired(field)) faults.push(`${method} ${path} body ${name}`)
            looked++
          }
        }
      }
    expect(faults).toEqual([])
    expect(looked).toBeGreaterThan(500)
  })

  it("describes every operation, and has a default response for undeclared errors", async () => {
    const { body: document } = await get("/openapi.json")
    const entries = entriesOf(document) as { call: string; path: string; entry: Entry & { description?: string } }[]
    expect(entries.filter(({ entry }) => !entry.description).map(({ call }) => call)).toEqual([])
    for (const { call, path, entry } of entries) {
      if (UNLIMITED.has(path)) continue
      const { content } = resolved(document, entry.responses.default ?? {})
      const [type, schema] = path.startsWith("/scim/")
        ? ["application/scim+json", "ScimError"]
        : ["application/json", "Error"]
      expect(content?.[type]?.schema.$ref, call).toBe(`#/components/schemas/${schema}`)
    }
  })

  it("can be limited to tags, with exactly the components that their operations need", async () => {
    const whole = (await get("/openapi.json")).body
    const { status, body } = await get("/openapi.json?tag=Users,Custom%20fields&tag=Groups")
    expect(status).toBe(200)
    const wanted = ["Users", "Custom fields", "Groups"]
    expect(body.tags.map(({ name }: { name: string }) => name).sort()).toEqual([...wanted].sort())
    const idsOf = (document: { paths: Record<string, Record<string, Entry>> }) =>
      Object.values(document.paths).flatMap((methods) => Object.values(methods).map((entry) => entry.operationId))
    const expected = operations.filter(({ tag }) => wanted.includes(tag)).map(({ operationId }) => operationId)
    expect(idsOf(body).sort()).toEqual(expected.sort())
    const references = new Set(
      [...JSON.stringify(body).matchAll(/"#\/components\/(\w+\/[\w.-]+)"/g)].map(([, name]) => name),
    )
    const present = Object.entries(body.components as Record<string, object>).flatMap(([kind, members]) =>
      kind === "securitySchemes" ? [] : Object.keys(members).map((name) => `${kind}/${name}`),
    )
    expect(present.sort()).toEqual([...references].sort())
    expect(body.components.securitySchemes).toEqual(whole.components.securitySchemes)
    expect(JSON.stringify(body).length).toBeLessThan(JSON.stringify(whole).length / 4)
    const unknown = await get("/openapi.json?tag=People")
    expect(unknown).toMatchObject({ status: 422, body: { code: "validation_failed", errors: { tag: [/People/] } } })
  })

  it("has the requested address as its server", async () => {
    expect((await get("/openapi.json")).body.servers).toEqual([{ url: "https://lectern.test" }])
    const deployed = await (await allRouters())
      .get("openapi")
      ?.request("/openapi.json", {}, { BASE_URL: "https://a.example" })
    expect(await deployed?.json()).toMatchObject({ servers: [{ url: "https://a.example" }] })
  })

  it("has a webhook for every event type, with the headers that are sent", async () => {
    const { body } = await get("/openapi.json")
    const { webhooks, components } = body
    expect(Object.keys(webhooks)).toEqual(EVENT_TYPES)
    const { parameters, requestBody, responses } = webhooks["user.created"].post
    const names = parameters.map((parameter: Part) => resolved(body, parameter).name)
    expect(names).toEqual(["webhook-id", "webhook-timestamp", "webhook-signature"])
    expect(requestBody.content["application/json"].schema.$ref).toBe("#/components/schemas/EventUserCreated")
    expect(components.schemas.EventUserCreated.properties.type.enum).toEqual(["user.created"])
    expect(Object.keys(responses)).toEqual(["410", "2XX", "default"])
  })
})
