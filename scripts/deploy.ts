// npm run deploy: puts the service on Cloudflare, or says what is missing. Every step can be repeated.
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fail, flags } from "./lib/flags.ts"
import { root } from "./lib/state.ts"
import { wrangler } from "./lib/wrangler.ts"

const PRODUCTION = ["--env", "production"]
const NO_ID = "00000000-0000-0000-0000-000000000000"

flags("npm run deploy", "Puts the service on Cloudflare, or says what is missing. Every step can be repeated.", {})

/** Runs a step in the open. @throws by ending when it fails */
function step(what: string, args: string[]) {
  console.info(`\n${what}`)
  const { status } = wrangler(args, { show: true })
  if (status !== 0) fail(`${what} failed. Nothing after it was done; run npm run deploy again.`)
}

const config = readFileSync(join(root, "wrangler.toml"), "utf8")
const production = config.slice(config.indexOf("[env.production]"))
const named = (key: string) => [
  ...new Set([...production.matchAll(new RegExp(`^${key} = "(.+)"`, "gm"))].map(([, name = ""]) => name)),
]

if (wrangler(["whoami"]).stdout.includes("not authenticated"))
  fail("wrangler is not signed in. Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN and CLOUDFLARE_ACCOUNT_ID.")

if (named("database_id").includes(NO_ID))
  fail(`wrangler.toml names no database yet. Once for an account, run

  npx wrangler d1 create ${named("database_name")[0]}
${named("bucket_name")
  .map((bucket) => `  npx wrangler r2 bucket create ${bucket}`)
  .join("\n")}
${[...named("queue"), ...named("dead_letter_queue")].map((queue) => `  npx wrangler queues create ${queue}`).join("\n")}

then put the database_id that the first one prints into [[env.production.d1_databases]] of wrangler.toml, the address of
the service into BASE_URL of [env.production.vars], and run npm run deploy again.`)

if (named("BASE_URL").length === 0)
  fail(`BASE_URL of [env.production.vars] in wrangler.toml is empty. Put the address of the service into it, such as
https://academy.example.org: the links in mails lead there. Then run npm run deploy again.`)

step("Applying migrations", ["d1", "migrations", "apply", "DB", "--remote", ...PRODUCTION])

step("Deploying", ["deploy", ...PRODUCTION])

// After the first deployment, because a secret needs a Worker to belong to. Until it is set, no session can be opened.
const secrets = wrangler(["secret", "list", ...PRODUCTION])
if (secrets.status !== 0) fail(`The secrets cannot be listed:\n${secrets.stdout}${secrets.stderr}`)
if (!secrets.stdout.includes("APP_SECRET")) {
  const set = wrangler(["secret", "put", "APP_SECRET", ...PRODUCTION], {
    input: `${randomBytes(32).toString("base64url")}\n`,
  })
  if (set.status !== 0) fail(`APP_SECRET cannot be set:\n${set.stdout}${set.stderr}`)
  console.info("APP_SECRET is set: random, kept by Cloudflare alone.")
}

console.info("\nDeployed. On the first time, make the owner: npm run owner -- --email you@example.org")
