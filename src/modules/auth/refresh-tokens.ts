import type { Bindings } from "../../env.ts"
import { hmac, hmacs, matchesAnySecret } from "../../lib/crypto/crypto.ts"

/** Which token of which device. */
export interface RefreshToken {
  deviceId: number
  generation: number
}

const FORM = /^lr_(\d{1,16})\.(\d{1,9})\.([\w-]{43})$/

const signed = ({ deviceId, generation }: RefreshToken) => `${deviceId}.${generation}`

/** A device's refresh token as it is handed out: `lr_<device>.<generation>.<HMAC of both>`. Nothing of it is kept. */
export const createRefreshToken = (env: Bindings, token: RefreshToken): string =>
  `lr_${token.deviceId}.${token.generation}.${hmac(env, "refresh", signed(token))}`

/** @returns undefined for what was never handed out; whether it counts still, the device's row tells */
export function readRefreshToken(env: Bindings, given: string): RefreshToken | undefined {
  const [, deviceId, generation, signature = ""] = FORM.exec(given) ?? []
  const token = { deviceId: Number(deviceId), generation: Number(generation) }
  return signature && matchesAnySecret(signature, hmacs(env, "refresh", signed(token))) ? token : undefined
}
