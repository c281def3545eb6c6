// Which database and which bucket the service has.

import { join } from "node:path"
import { unstable_readConfig } from "wrangler"
import { CONFIG } from "../deployment.ts"
import { root } from "../state.ts"

export interface Resources {
  /** The database's name and id. */
  database: string
  databaseId: string
  bucket: string
  /** The account, where the configuration tells it. */
  account: string | undefined
}

/** @param isLocal this machine's; else those of the operator's deployment, as its configuration was written last */
export function resourcesOf(isLocal: boolean): Resources {
  const config = unstable_readConfig(
    isLocal ? { config: join(root, "wrangler.toml") } : { config: CONFIG, env: "production" },
    { hideWarnings: true },
  )
  const [database] = config.d1_databases
  const [bucket] = config.r2_buckets
  return {
    database: database?.database_name ?? "",
    databaseId: database?.database_id ?? "",
    bucket: bucket?.bucket_name ?? "",
    account: config.account_id,
  }
}
