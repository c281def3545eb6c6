// Opens the local academy, or a deployment with wrangler's credentials.
import { join } from "node:path"
import { unstable_readConfig } from "wrangler"
import { credentials } from "../../lib/cloudflare.ts"
import { requireDeployment } from "../../lib/deployment.ts"
import { root, stateDir } from "../../lib/state.ts"
import { cloudflareDeployment } from "./cloudflare.ts"
import type { Deployment, Resources } from "./deployment.ts"
import { localDeployment } from "./local.ts"

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
  const { settings, id, flags } = requireDeployment()
  const { database, bucket, jurisdiction } = settings
  const resources = { database, databaseId: id, bucket, ...(jurisdiction && { jurisdiction }) }
  return {
    deployment: cloudflareDeployment(resources, credentials(settings.values.ACCOUNT_ID)),
    where: ["--remote", ...flags],
  }
}
