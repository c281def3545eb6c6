// What a call of the service is made of, for all who make one: tests, benchmarks and scripts.

export interface RequestOptions {
  token?: string
  headers?: Record<string, string>
  /** Forms, text and bytes are sent unchanged, other values as JSON. */
  body?: unknown
}

/** A call as `fetch` takes it. A redirect is answered, not followed. */
export function toRequest(method: string, { token, headers, body }: RequestOptions) {
  const form = body instanceof FormData
  const asGiven = form || typeof body === "string" || body instanceof Uint8Array
  const all = new Headers(headers)
  if (token) all.set("authorization", `Bearer ${token}`)
  if (body !== undefined && !form && !all.has("content-type")) all.set("content-type", "application/json")
  return {
    method,
    headers: all,
    redirect: "manual" as const,
    ...(body !== undefined && { body: (asGiven ? body : JSON.stringify(body)) as BodyInit }),
  }
}

/** A query string; objects go as JSON. */
export const query = (parameters: Record<string, unknown>): string =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([key, value]) => [
      key,
      typeof value === "object" ? JSON.stringify(value) : String(value),
    ]),
  )}`
