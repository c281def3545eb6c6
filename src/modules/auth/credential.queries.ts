import type { Bindings } from "../../env.ts"
import { isKeyAccepted, providerGroups, providerUrl } from "./credential-provider.ts"

/** Whether the provider accepts a key. @throws 502 if the provider fails or takes over five seconds */
export async function validateKey(env: Bindings, key: string) {
  const base = providerUrl(env)
  if (!base) return { status: "error" as const, message: "No credential provider is configured for this service." }
  return (await isKeyAccepted(base, key))
    ? { status: "success" as const, message: "The credential provider accepts the key." }
    : { status: "error" as const, message: "The credential provider rejected the key. Check it and try again." }
}

/** The provider's groups; empty if no provider is configured. @throws 502 */
export async function lookUpGroups(env: Bindings) {
  const base = providerUrl(env)
  const key = env.CREDENTIAL_PROVIDER_KEY
  if (!base || !key) return { isEnabled: false, data: [] }
  return { isEnabled: true, data: await providerGroups(base, key) }
}
