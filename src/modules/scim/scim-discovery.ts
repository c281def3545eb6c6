import type { Database } from "../../db/client.ts"
import { fieldsInOrder } from "../users/custom-fields.queries.ts"
import { CUSTOM_SCHEMA, GROUP_SCHEMA, LECTERN_SCHEMA, LIST_SCHEMA, USER_SCHEMA } from "./scim-names.ts"
import { MAX_COUNT } from "./scim-schemas.ts"

// What clients discover (RFC 7643, sections 5 to 7).

const CONFIG_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig"
const TYPE_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:ResourceType"
const SCHEMA_SCHEMA = "urn:ietf:params:scim:schemas:core:2.0:Schema"

export const serviceProviderConfig = (base: string) => ({
  schemas: [CONFIG_SCHEMA],
  documentationUri: `${base}/docs/guides/scim`,
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: MAX_COUNT },
  changePassword: { supported: false },
  sort: { supported: true },
  etag: { supported: true },
  authenticationSchemes: [
    {
      type: "oauthbearertoken",
      name: "API key",
      description: "An API key with the scope scim, as a bearer token, or a token from /oauth/token.",
      specUri: "https://www.rfc-editor.org/rfc/rfc6750",
      documentationUri: `${base}/docs/guides/scim`,
      primary: true,
    },
  ],
  meta: { resourceType: "ServiceProviderConfig", location: `${base}/scim/v2/ServiceProviderConfig` },
})

const resourceType = (base: string, name: string, schema: string, description: string, extensions: object[] = []) => ({
  schemas: [TYPE_SCHEMA],
  id: name,
  name,
  endpoint: `/${name}s`,
  description,
  schema,
  schemaExtensions: extensions,
  meta: { resourceType: "ResourceType", location: `${base}/scim/v2/ResourceTypes/${name}` },
})

export const resourceTypes = (base: string) => [
  resourceType(base, "User", USER_SCHEMA, "User Account", [
    { schema: CUSTOM_SCHEMA, required: false },
    { schema: LECTERN_SCHEMA, required: false },
  ]),
  resourceType(base, "Group", GROUP_SCHEMA, "Group"),
]

interface AttributeOptions {
  type?: string
  mutability?: "readOnly" | "readWrite" | "immutable"
  required?: boolean
  returned?: "always" | "default" | "request"
  uniqueness?: "none" | "server" | "global"
  caseExact?: boolean
  multiValued?: boolean
  subAttributes?: object[]
  canonicalValues?: string[]
  referenceTypes?: string[]
}

const attribute = (name: string, description: string, options: AttributeOptions = {}) => ({
  name,
  type: "string",
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: "readWrite",
  returned: "default",
  uniqueness: "none",
  ...options,
})

const READ_ONLY = { mutability: "readOnly" } as const
const EXTERNAL_ID = attribute("externalId", "The id in the provider", { caseExact: true, uniqueness: "server" })

const reference = (type: string, mutability: "readOnly" | "immutable") => [
  attribute("value", `The id of the ${type.toLowerCase()}`, { mutability }),
  attribute("display", "The name", READ_ONLY),
  attribute("$ref", "The URI", { type: "reference", referenceTypes: [type], ...READ_ONLY }),
  attribute("type", "The type", { canonicalValues: [type], mutability }),
]

const USER_ATTRIBUTES = [
  attribute("userName", "The email address, with which people sign in", { required: true, uniqueness: "server" }),
  EXTERNAL_ID,
  attribute("name", "The components of the name", {
    type: "complex",
    subAttributes: [
      attribute("formatted", "The full name", READ_ONLY),
      attribute("givenName", "The first name"),
      attribute("familyName", "The last name"),
    ],
  }),
  attribute("displayName", "The name to display; the full name by default"),
  attribute("active", "Whether the person can sign in", { type: "boolean" }),
  attribute("emails", "The userName", {
    type: "complex",
    multiValued: true,
    ...READ_ONLY,
    subAttributes: [
      attribute("value", "The address", READ_ONLY),
      attribute("type", "The kind of address", { canonicalValues: ["work"], ...READ_ONLY }),
      attribute("primary", "Whether it is the main address", { type: "boolean", ...READ_ONLY }),
    ],
  }),
  attribute("groups", "The user's groups", {
    type: "complex",
    multiValued: true,
    returned: "request",
    ...READ_ONLY,
    subAttributes: reference("Group", "readOnly").slice(0, 3),
  }),
]

const GROUP_ATTRIBUTES = [
  attribute("displayName", "The name", { required: true }),
  EXTERNAL_ID,
  attribute("members", "The users in the group", {
    type: "complex",
    multiValued: true,
    subAttributes: reference("User", "immutable"),
  }),
]

const LECTERN_ATTRIBUTES = [
  attribute("portals", "The user's portals", {
    type: "complex",
    multiValued: true,
    subAttributes: [
      attribute("value", "The id of the portal", { mutability: "immutable" }),
      attribute("display", "The name", READ_ONLY),
      attribute("type", "The role of the user", { canonicalValues: ["learner", "admin"], ...READ_ONLY }),
    ],
  }),
]

const schemaOf = (base: string, id: string, name: string, description: string, attributes: object[]) => ({
  schemas: [SCHEMA_SCHEMA],
  id,
  name,
  description,
  attributes,
  meta: { resourceType: "Schema", location: `${base}/scim/v2/Schemas/${id}` },
})

/** All schemas; one of the extensions has the custom user fields of the academy. */
export async function readSchemas(db: Database, base: string) {
  const [fields] = await db.batch([fieldsInOrder(db)])
  return [
    schemaOf(base, USER_SCHEMA, "User", "User Account", USER_ATTRIBUTES),
    schemaOf(base, GROUP_SCHEMA, "Group", "Group", GROUP_ATTRIBUTES),
    schemaOf(
      base,
      CUSTOM_SCHEMA,
      "CustomFields",
      "Custom user fields",
      fields.map(({ userMetaKey, label }) => attribute(userMetaKey, label)),
    ),
    schemaOf(base, LECTERN_SCHEMA, "Lectern", "The portals of users", LECTERN_ATTRIBUTES),
  ]
}

/** A list response with everything on one page. */
export const wholeList = (resources: object[]) => ({
  schemas: [LIST_SCHEMA],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
})
