// Which database and which bucket the service has.

import { join } from "node:path"
import { unstable_readConfig } from "wrangler"
import { root } from "../state.ts"

export interface Resources {
  /** The database's name and id. */
  database: string
  databaseId: string
  bucket: string
  /** The account, where the configuration tells it. */
  account: string | undefined
}

/** @param env an environment of the configuration; undefined: this machine's */
export function resourcesOf(env: string | undefined): Resources {
  const config = unstable_readConfig(
    { config: join(root, "wrangler.toml"), ...(env && { env }) },
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
