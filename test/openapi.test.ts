import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi"
import { describe, expect, it } from "vitest"
import { z } from "zod"
import { everyFamily } from "../src/app.ts"
import { operations } from "../src/http/operation.ts"
import { get } from "./client.ts"

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string | string[]; nullable?: boolean }
}

interface Schema {
  [keyword: string]: unknown
  $ref?: string
  type?: string | string[]
  description?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  allOf?: Schema[]
}

/** Every schema within a value of the OpenAPI document, with where it stands. */
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

/** Which types a keyword says something about. */
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

/** The object that a schema reads, through what is done before and after. */
function objectOf(schema: z.core.$ZodType | undefined): z.ZodObject | undefined {
  if (schema === undefined || schema instanceof z.ZodObject) return schema
  if (!(schema instanceof z.ZodPipe)) return undefined
  return objectOf(schema.in instanceof z.ZodTransform ? schema.out : schema.in)
}
/** What may stand in search_param instead, and is to be given all the same. */
const EITHER_PLACE = new Set(["/api/user-activities context"])
const isRequired = (field: unknown) => !(field as z.ZodType).safeParse(undefined).success

describe("/openapi.json", () => {
  it("is an OpenAPI 3.1 document of every operation, from its declaration", async () => {
    const { body, headers } = await get("/openapi.json")
    expect(headers.get("content-type")).toContain("application/json")
    expect(body.openapi).toBe("3.1.0")
    for (const operation of operations) {
      const entry = body.paths[operation.path]?.[operation.method]
      expect(entry, `${operation.method} ${operation.path}`).toBeTruthy()
      expect(entry["x-role"]).toBe(operation.access)
      expect(entry.summary).toBeTruthy()
      expect(entry.responses[operation.status].content).toBeTruthy()
      expect(entry.responses["429"].content["application/json"].schema.$ref).toBe("#/components/schemas/Error")
      if (operation.method !== "get" && entry.requestBody) expect(entry.responses["422"]).toBeTruthy()
    }
  })

  it("gives every operation an id that no other has: a verb and what it is about, in camel case", async () => {
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

  it("gives every path id as a required integer, or text where it is no number", async () => {
    const { body } = await get("/openapi.json")
    for (const [path, methods] of Object.entries<Record<string, { parameters?: Parameter[] }>>(body.paths))
      for (const entry of Object.values(methods)) {
        const named = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1])
        const given = (entry.parameters ?? []).filter((parameter) => parameter.in === "path")
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

  it("refers to nothing that it does not hold", async () => {
    const { body } = await get("/openapi.json")
    const references = JSON.stringify(body).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)
    for (const [, kind = "", name = ""] of references) expect(body.components[kind]?.[name], name).toBeTruthy()
  })

  it("says nothing of a schema that its type cannot have, and types every array", async () => {
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

  it("declares as required exactly the parameters and fields that are", async () => {
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
    for (const family of (await everyFamily()).values())
      for (const definition of (family as OpenAPIHono).openAPIRegistry?.definitions ?? []) {
        if (definition.type !== "route") continue
        const { method, path, request } = definition.route as RouteConfig
        const entry = document.paths[path][method]
        const query = objectOf(request?.query as z.ZodType | undefined)
        for (const [name, field] of Object.entries(query?.shape ?? {})) {
          const parameter = entry.parameters.find((one: Parameter) => one.name === name && one.in === "query")
          if (parameter?.required !== isRequired(field) && !EITHER_PLACE.has(`${path} ${name}`))
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
})
