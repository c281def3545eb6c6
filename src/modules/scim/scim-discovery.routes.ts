import { notFound } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { readSchemas, resourceTypes, serviceProviderConfig, wholeList } from "./scim-discovery.ts"
import { createScimApp, mount, scimAnswer } from "./scim-http.ts"
import { describeScim } from "./scim-openapi.ts"
import * as schemas from "./scim-schemas.ts"

export const scimDiscovery = createScimApp()

const list = schemas.listOf(schemas.discovery).openapi("ScimDiscoveryList")

const CONFIG = { method: "get", path: "/ServiceProviderConfig", operationId: "getScimConfiguration" } as const
describeScim(scimDiscovery, CONFIG, {
  summary: "Retrieve what the SCIM service supports",
  description: "Patch, filters, sorting and ETags, but not bulk requests.",
  answer: schemas.discovery,
})
mount(scimDiscovery, CONFIG, async (c) => scimAnswer(c, serviceProviderConfig(baseUrl(c))))

const TYPES = { method: "get", path: "/ResourceTypes", operationId: "listScimResourceTypes" } as const
describeScim(scimDiscovery, TYPES, {
  summary: "List the resource types",
  description: "User and Group.",
  answer: list,
})
mount(scimDiscovery, TYPES, async (c) => scimAnswer(c, wholeList(resourceTypes(baseUrl(c)))))

const TYPE = { method: "get", path: "/ResourceTypes/{uri}", operationId: "getScimResourceType" } as const
describeScim(scimDiscovery, TYPE, {
  summary: "Retrieve a resource type",
  description: "By its id: User or Group.",
  answer: schemas.discovery,
})
mount(scimDiscovery, TYPE, async (c) => {
  const found = resourceTypes(baseUrl(c)).find(({ id }) => id === c.req.param("uri"))
  if (!found) throw notFound("resource type")
  return scimAnswer(c, found)
})

const SCHEMAS = { method: "get", path: "/Schemas", operationId: "listScimSchemas" } as const
describeScim(scimDiscovery, SCHEMAS, {
  summary: "List the schemas",
  description: "The extension schema has the custom user fields.",
  answer: list,
})
mount(scimDiscovery, SCHEMAS, async (c) => scimAnswer(c, wholeList(await readSchemas(c.var.db, baseUrl(c)))))

const SCHEMA = { method: "get", path: "/Schemas/{uri}", operationId: "getScimSchema" } as const
describeScim(scimDiscovery, SCHEMA, {
  summary: "Retrieve a schema",
  description: "By its URN.",
  answer: schemas.discovery,
})
mount(scimDiscovery, SCHEMA, async (c) => {
  const found = (await readSchemas(c.var.db, baseUrl(c))).find(({ id }) => id === c.req.param("uri"))
  if (!found) throw notFound("schema")
  return scimAnswer(c, found)
})
