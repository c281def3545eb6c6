import type { Bindings } from "../../env.ts"
import { hmac, hmacs, matchesAnySecret } from "../../lib/crypto/crypto.ts"

/** A token of a device. Each refresh increments the generation. */
export interface RefreshToken {
  deviceId: number
  generation: number
}

const FORM = /^lr_(\d{1,16})\.(\d{1,9})\.([\w-]{43})$/

const signed = ({ deviceId, generation }: RefreshToken) => `${deviceId}.${generation}`

/** The refresh token of a device: `lr_<device>.<generation>.<HMAC of both>`. It is not stored. */
export const createRefreshToken = (env: Bindings, token: RefreshToken): string =>
  `lr_${token.deviceId}.${token.generation}.${hmac(env, "refresh", signed(token))}`

/** @returns undefined for a forged token; the row of the device says whether the token is still valid */
export function readRefreshToken(env: Bindings, input: string): RefreshToken | undefined {
  const [, deviceId, generation, signature = ""] = FORM.exec(input) ?? []
  const token = { deviceId: Number(deviceId), generation: Number(generation) }
  return signature && matchesAnySecret(signature, hmacs(env, "refresh", signed(token))) ? token : undefined
}
