// Deployments as an operator has them, on the stand-in of Cloudflare: a checkout of the service, settings in a folder,
// and the scripts of package.json with the real wrangler.
import { execFileSync, spawn } from "node:child_process"
import { copyFileSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { root } from "../../../scripts/lib/state.ts"
import { statementsOf } from "../../../scripts/lib/statements.ts"
import { ACCOUNT, type CloudflareAccount, TOKEN } from "./api.ts"

/** Copies what git would commit: a checkout whose files a test may change. */
export function checkoutIn(folder: string): string {
  const at = join(folder, "checkout")
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" })
  for (const file of files.split("\n").filter((name) => name !== "" && existsSync(join(root, name)))) {
    mkdirSync(dirname(join(at, file)), { recursive: true })
    copyFileSync(join(root, file), join(at, file))
  }
  symlinkSync(join(root, "node_modules"), join(at, "node_modules"))
  return at
}

/** Adds a migration to a checkout. @returns its file's name */
export function addMigration(checkout: string, tag: string, sql: string): string {
  const path = join(checkout, "migrations/meta/_journal.json")
  const journal = JSON.parse(readFileSync(path, "utf8")) as { entries: { idx: number; tag: string }[] }
  const last = journal.entries.at(-1)
  journal.entries.push({ ...last, idx: (last?.idx ?? 0) + 1, tag })
  writeFileSync(path, JSON.stringify(journal, null, 2))
  writeFileSync(join(checkout, "migrations", `${tag}.sql`), sql)
  if (statementsOf(sql).length < 2) throw new Error("A migration that can break off has several statements.")
  return `${tag}.sql`
}

/**
 * The scripts for one deployment.
 * @param folder with its settings
 */
export function operator(checkout: string, folder: string, account: CloudflareAccount) {
  mkdirSync(folder, { recursive: true })

  /** Runs Node in the checkout. @returns how it ended, and what it printed */
  async function node(args: string[], more: Record<string, string> = {}) {
    const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", ...args], {
      cwd: checkout,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        ...{ DEPLOYMENT: folder, READY_WAITS: "1000", RETRY_DELAY_MS: "5", CI: "1", WRANGLER_HIDE_BANNER: "true" },
        ...{ WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
        ...{ CLOUDFLARE_API_BASE_URL: account.base, CLOUDFLARE_API_TOKEN: TOKEN, CLOUDFLARE_ACCOUNT_ID: ACCOUNT },
        ...more,
      },
    })
    let printed = ""
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (printed += data))
    const status = await new Promise<number | null>((done) => child.on("close", done))
    return { status, printed }
  }

  return {
    /** Runs a script of the checkout. */
    run: (script: string, args: string[] = [], env: Record<string, string> = {}) =>
      node([join("scripts", script), ...args], env),
    /** Applies the migrations alone, as npm run deploy does. */
    migrate: () =>
      node([
        ...["--input-type=module", "-e"],
        `import { migrate } from "./scripts/deploy/migrate.ts"
         await migrate(["--remote", "--config", "wrangler.deployment.toml", "--env", "production"])`,
      ]),
    /** Runs wrangler itself, as an operator would type it. */
    wrangler: (args: string[]) =>
      node([
        ...["node_modules/wrangler/wrangler-dist/cli.js", ...args],
        ...["--config", "wrangler.deployment.toml", "--env", "production"],
      ]),
    set: (settings: Record<string, string>) =>
      writeFileSync(
        join(folder, "settings.env"),
        Object.entries(settings)
          .map(([name, value]) => `${name}=${value}\n`)
          .join(""),
      ),
    secrets: () => readFileSync(join(folder, "secrets.env"), "utf8"),
  }
}
