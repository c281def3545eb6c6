// An account as npm run deploy leaves it, without a deployment: what the doctor asks of Cloudflare.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "../../../scripts/lib/state.ts"
import { type CloudflareAccount, cloudflareAccount } from "./api.ts"
import type { Database } from "./d1.ts"
import type { Queue } from "./queues.ts"
import { newScript, type Script } from "./workers.ts"

const TOML = readFileSync(join(root, "wrangler.toml"), "utf8")
/** The queues that have a consumer, without the deployment's name before them. */
export const QUEUES = [...new Set([...TOML.matchAll(/^queue = "lectern-(\w+)"/gm)].map(([, queue = ""]) => queue))]

export interface DeployedAccount {
  account: CloudflareAccount
  database: Database
  script: Script
  queue: (name: string) => Queue
  close: () => Promise<unknown>
}

/** Adds the bucket and the queues of a deployment. */
export function addResources(account: CloudflareAccount, name: string) {
  account.r2.add(`${name}-files`)
  for (const job of QUEUES)
    for (const end of ["", "-dead"]) {
      const queue_name = `${name}-${job}${end}`
      const consumer = { consumer_id: "c", type: "worker", script: name, settings: { max_concurrency: 2 } }
      const settings = { delivery_paused: false }
      account.queues.set(queue_name, { queue_id: queue_name, queue_name, consumers: end ? [] : [consumer], settings })
    }
}

/** @param name of the Worker, with which the names of all else begin */
export async function deployedAccount(name: string, id: string, secrets: string[]): Promise<DeployedAccount> {
  const account = await cloudflareAccount()
  const database = await account.d1.create(name, { id })
  database.replication = "auto"
  addResources(account, name)
  const script: Script = {
    ...newScript(),
    deployments: [{ id: "d", versions: [{ version_id: "v", percentage: 100 }] }],
    secrets: new Map(secrets.map((secret) => [secret, "x".repeat(43)])),
    schedules: [{ cron: "* * * * *" }],
    settings: { observability: { enabled: true } },
    limits: { cpu_ms: 300_000 },
  }
  account.workers.scripts.set(name, script)
  const queue = (of: string) => {
    const found = account.queues.get(`${name}-${of}`)
    if (!found) throw new Error(`There is no queue ${of}.`)
    return found
  }
  return { account, database, script, queue, close: account.close }
}
