import { call } from "../helpers/client.ts"
import { apiKey } from "./keys.ts"

export const USER = "urn:ietf:params:scim:schemas:core:2.0:User"
export const GROUP = "urn:ietf:params:scim:schemas:core:2.0:Group"
export const CUSTOM = "urn:lectern:params:scim:schemas:extension:custom:2.0:User"
export const LECTERN = "urn:lectern:params:scim:schemas:extension:lectern:2.0:User"
const PATCH = "urn:ietf:params:scim:api:messages:2.0:PatchOp"

/** An identity provider: calls SCIM operations with an API key of its own. */
export async function provider(overrides: Parameters<typeof apiKey>[0] = {}) {
  const key = await apiKey({ role: "admin", scopes: ["scim"], ...overrides })
  const send =
    (method: string) =>
    (path: string, body?: object, headers: Record<string, string> = {}) =>
      call(method, `/scim/v2${path}`, {
        token: key.token,
        headers: { ...(body && { "content-type": "application/scim+json" }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      })
  const patch = send("PATCH")
  return {
    ...key,
    get: send("GET"),
    post: send("POST"),
    put: send("PUT"),
    delete: send("DELETE"),
    patch: (path: string, Operations: object[], headers?: Record<string, string>) =>
      patch(path, { schemas: [PATCH], Operations }, headers),
    createUser: (userName: string, more: object = {}) => send("POST")("/Users", { schemas: [USER], userName, ...more }),
    createGroup: (displayName: string, more: object = {}) =>
      send("POST")("/Groups", { schemas: [GROUP], displayName, ...more }),
  }
}
