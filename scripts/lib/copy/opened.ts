// Opens what a copy is read from or written to: this machine's academy, or a deployment with wrangler's credentials.
import { deployed } from "../deployment.ts"
import { fail } from "../flags.ts"
import { stateDir } from "../state.ts"
import { wrangler } from "../wrangler.ts"
import { type Credentials, cloudflareDeployment } from "./cloudflare.ts"
import type { Deployment } from "./deployment.ts"
import { localDeployment } from "./local.ts"
import { type Resources, resourcesOf } from "./resources.ts"

const API = "https://api.cloudflare.com/client/v4"

/** What wrangler is signed in with: `CLOUDFLARE_API_TOKEN`, or `wrangler login`. Ends the script where it is not. */
function credentials({ account }: Resources): Credentials {
  const notSignedIn = () =>
    fail("wrangler is not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.")
  const token = process.env.CLOUDFLARE_API_TOKEN || wrangler(["auth", "token"]).stdout.trim()
  if (!token || /\s/.test(token)) notSignedIn()
  const base = process.env.CLOUDFLARE_API_BASE_URL || API
  const told = process.env.CLOUDFLARE_ACCOUNT_ID || account
  if (told) return { token, account: told, base }
  const { accounts = [] } = JSON.parse(wrangler(["whoami", "--json"]).stdout || "{}") as { accounts?: { id: string }[] }
  const [only, ...others] = accounts
  if (!only || others.length > 0) fail("Set CLOUDFLARE_ACCOUNT_ID: which account is meant cannot be told otherwise.")
  return { token, account: only.id, base }
}

/** @param isLocal this machine's academy; else the operator's deployment */
export async function opened(isLocal: boolean): Promise<Deployment> {
  if (isLocal) return localDeployment(stateDir, resourcesOf(true))
  deployed()
  const resources = resourcesOf(false)
  return cloudflareDeployment(resources, credentials(resources))
}
