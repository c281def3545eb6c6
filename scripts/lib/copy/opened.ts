// Opens what a copy is read from or written to: this machine's academy, or a deployment with wrangler's credentials.
import { join } from "node:path"
import { unstable_readConfig } from "wrangler"
import { deployed } from "../deployment.ts"
import { fail } from "../flags.ts"
import { root, stateDir } from "../state.ts"
import { wrangler } from "../wrangler.ts"
import { type Credentials, cloudflareDeployment } from "./cloudflare.ts"
import type { Deployment, Resources } from "./deployment.ts"
import { localDeployment } from "./local.ts"

const API = "https://api.cloudflare.com/client/v4"

/** What wrangler is signed in with: `CLOUDFLARE_API_TOKEN`, or `wrangler login`. Ends the script where it is not. */
function credentials(account: string | undefined): Credentials {
  const notSignedIn = () =>
    fail("wrangler is not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and ACCOUNT_ID.")
  const token = process.env.CLOUDFLARE_API_TOKEN || wrangler(["auth", "token"]).stdout.trim()
  if (!token || /\s/.test(token)) notSignedIn()
  const base = process.env.CLOUDFLARE_API_BASE_URL || API
  const told = account || process.env.CLOUDFLARE_ACCOUNT_ID
  if (told) return { token, account: told, base }
  const { accounts = [] } = JSON.parse(wrangler(["whoami", "--json"]).stdout || "{}") as { accounts?: { id: string }[] }
  const [only, ...others] = accounts
  if (!only || others.length > 0) fail("Set ACCOUNT_ID in the settings: the sign-in knows no account, or several.")
  return { token, account: only.id, base }
}

/** What the database and bucket of this machine are called. */
function localResources(): Resources {
  const config = unstable_readConfig({ config: join(root, "wrangler.toml") }, { hideWarnings: true })
  const [database] = config.d1_databases
  return {
    database: database?.database_name ?? "",
    databaseId: database?.database_id ?? "",
    bucket: config.r2_buckets[0]?.bucket_name ?? "",
  }
}

/** What a script opened, and the flags by which wrangler finds its database. */
interface Opened {
  deployment: Deployment
  where: string[]
}

/** @param local this machine's academy; otherwise the deployment of the settings */
export async function opened(local: boolean): Promise<Opened> {
  if (local)
    return {
      deployment: await localDeployment(stateDir, localResources()),
      where: ["--local", "--persist-to", stateDir],
    }
  const { settings, id, flags } = deployed()
  const resources = { database: settings.database, databaseId: id, bucket: settings.bucket }
  return {
    deployment: cloudflareDeployment(resources, credentials(settings.given.ACCOUNT_ID)),
    where: ["--remote", ...flags],
  }
}
