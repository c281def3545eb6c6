import type { Call } from "./driver.ts"

// One call of every SCIM operation, with an API key of the scope scim.

const USER = "urn:ietf:params:scim:schemas:core:2.0:User"
const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
const patch = (op: string, path: string, value: unknown) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations: [{ op, path, value }],
})

/** @param admin creates the key */
export async function callScim(admin: Call, stranger: Call) {
  const { key } = await admin("createApiKey", {
    body: { name: "Identity provider", role: "staff", access: "write", scopes: ["scim"] },
    unrecorded: true,
  })
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/scim+json" }
  const call: Call = (operationId, options) => stranger(operationId, { ...options, headers })

  await call("getScimConfiguration")
  await call("listScimResourceTypes")
  await call("getScimResourceType", { path: { uri: "User" } })
  await call("listScimSchemas")
  await call("getScimSchema", { path: { uri: USER } })
  const user = { schemas: [USER], userName: "ada.byron@example.com", name: { givenName: "Ada", familyName: "Byron" } }
  const { id } = await call("createScimUser", { body: user })
  await call("listScimUsers", { query: { filter: 'userName eq "ada.byron@example.com"' } })
  await call("getScimUser", { path: { id } })
  await call("replaceScimUser", { path: { id }, body: { ...user, externalId: "E-7" } })
  await call("updateScimUser", { path: { id }, body: patch("replace", "active", false) })
  const group = { schemas: [GROUP], displayName: "Provisioned" }
  const { id: groupId } = await call("createScimGroup", { body: group })
  await call("listScimGroups", { query: { count: 5 } })
  await call("getScimGroup", { path: { id: groupId } })
  await call("replaceScimGroup", { path: { id: groupId }, body: { ...group, members: [{ value: id }] } })
  await call("updateScimGroup", { path: { id: groupId }, body: patch("remove", `members[value eq "${id}"]`, null) })
  await call("deleteScimGroup", { path: { id: groupId } })
  await call("deleteScimUser", { path: { id } })
}
