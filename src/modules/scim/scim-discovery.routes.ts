import { notFound } from "../../lib/errors.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { readSchemas, resourceTypes, serviceProviderConfig, wholeList } from "./scim-discovery.ts"
import { scimAnswer } from "./scim-http.ts"
import { createScimApp, scimOperation } from "./scim-operation.ts"
import * as schemas from "./scim-schemas.ts"

export const scimDiscovery = createScimApp()

const list = schemas.listOf(schemas.discovery).openapi("ScimDiscoveryList")

scimOperation(
  scimDiscovery,
  {
    method: "get",
    path: "/ServiceProviderConfig",
    operationId: "getScimConfiguration",
    summary: "Retrieve what the SCIM service supports",
    description: "Patch, filters, sorting and ETags, but not bulk requests.",
    response: schemas.discovery,
  },
  async (c) => scimAnswer(c, serviceProviderConfig(baseUrl(c))),
)

scimOperation(
  scimDiscovery,
  {
    method: "get",
    path: "/ResourceTypes",
    operationId: "listScimResourceTypes",
    summary: "List the resource types",
    description: "User and Group.",
    response: list,
  },
  async (c) => scimAnswer(c, wholeList(resourceTypes(baseUrl(c)))),
)

scimOperation(
  scimDiscovery,
  {
    method: "get",
    path: "/ResourceTypes/{uri}",
    operationId: "getScimResourceType",
    summary: "Retrieve a resource type",
    description: "By its id: User or Group.",
    response: schemas.discovery,
  },
  async (c) => {
    const found = resourceTypes(baseUrl(c)).find(({ id }) => id === c.req.param("uri"))
    if (!found) throw notFound("resource type")
    return scimAnswer(c, found)
  },
)

scimOperation(
  scimDiscovery,
  {
    method: "get",
    path: "/Schemas",
    operationId: "listScimSchemas",
    summary: "List the schemas",
    description: "The extension schema has the custom user fields.",
    response: list,
  },
  async (c) => scimAnswer(c, wholeList(await readSchemas(c.var.db, baseUrl(c)))),
)

scimOperation(
  scimDiscovery,
  {
    method: "get",
    path: "/Schemas/{uri}",
    operationId: "getScimSchema",
    summary: "Retrieve a schema",
    description: "By its URN.",
    response: schemas.discovery,
  },
  async (c) => {
    const found = (await readSchemas(c.var.db, baseUrl(c))).find(({ id }) => id === c.req.param("uri"))
    if (!found) throw notFound("schema")
    return scimAnswer(c, found)
  },
)
