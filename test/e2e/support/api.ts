import { type Connection, call, json } from "../../../scripts/lib/client.ts"
import { query } from "../../../scripts/lib/request.ts"

export type Json = Record<string, unknown>

export const get = async <T = Json>(user: Connection, path: string, parameters: Json = {}): Promise<T> =>
  json<T>(await call(user, "GET", Object.keys(parameters).length > 0 ? `${path}${query(parameters)}` : path))

export const post = async <T = Json>(user: Connection, path: string, body: object | FormData): Promise<T> =>
  json<T>(await call(user, "POST", path, body))

export const put = async <T = Json>(user: Connection, path: string, body: object): Promise<T> =>
  json<T>(await call(user, "PUT", path, body))
