import { describe, expect, it } from "vitest"
import { operations } from "../src/lib/operation.ts"
import { get } from "./client.ts"

interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: { type?: string | string[]; nullable?: boolean }
}

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
    const ids = Object.values(body.paths).flatMap((path) =>
      Object.values(path as object).map((entry) => entry.operationId),
    )
    expect(new Set(ids.filter(Boolean)).size).toBe(ids.filter(Boolean).length)
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
})
