// Copies the sample academy and restores it, both of them killed again and again, and tries what came of it: every row
// and file, a sign-in by password and one by device, a certificate, an export. Not part of the tests: it takes minutes.
import { spawn } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { call, connect, held, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { fail, flags } from "./lib/flags.ts"
import { asFlags, startService } from "./lib/servers.ts"
import { root } from "./lib/state.ts"

flags("npm run check:backup", "Copies and restores the sample academy through kills, and tries what was restored.", {})
/** How long a backup or restore runs before it is killed, milliseconds: longer each time. */
const LIVES = [1500, 2200, 2900, 3600, 4300, 5000]

const folder = mkdtempSync(join(tmpdir(), "lectern-backup-"))
const [state, restored, copy, again] = ["state", "restored", "copy", "again"].map((name) => join(folder, name)) as [
  string,
  string,
  string,
  string,
]

/** Runs a script on a state folder. @param life milliseconds until it is killed. @returns whether it came to its end */
async function run(script: string, args: string[], stateDir: string, life?: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(root, script), "--local", ...args],
    { cwd: root, env: { ...process.env, STATE_DIR: stateDir }, stdio: ["ignore", "ignore", "inherit"], detached: true },
  )
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const { pid } = child
  // With it goes the workerd that it has started.
  const timer =
    life !== undefined && pid !== undefined ? setTimeout(() => process.kill(-pid, "SIGKILL"), life) : undefined
  const code = await ended
  clearTimeout(timer)
  if (code !== 0 && code !== null) fail(`${script} ended with ${code}.`)
  return code === 0
}

/** Runs a script to its end, through kills. @returns how often it was killed */
async function throughKills(script: string, args: string[], stateDir: string): Promise<number> {
  for (const [kills, life] of LIVES.entries()) if (await run(script, args, stateDir, life)) return kills
  await run(script, args, stateDir)
  return LIVES.length
}

interface Manifest {
  tables: { name: string; rows: number; sha256: string }[]
  files: { rows: number; sha256: string }
}
const manifestOf = (path: string) => JSON.parse(readFileSync(join(path, "manifest.json"), "utf8")) as Manifest

try {
  const before = await startService(state, asFlags({ RATE_LIMIT: "1000000" }))
  const nobody = { url: before.url, token: "" }
  const login = { email: "learner@example.com", password: PASSWORD, device: "A phone" }
  const { refreshToken } = await json<{ refreshToken: string }>(await call(nobody, "POST", "/login", login))
  const owner = await connect(before.url, "owner@example.com", PASSWORD)
  const { export_id: exportId } = await json<{ export_id: string }>(await call(owner, "POST", "/api/users/export", {}))
  const download = async (connection: typeof owner) => {
    for (let tries = 0; tries < 100; tries++) {
      const answer = await call(connection, "GET", `/api/users/export/download/${exportId}`)
      if (answer.ok) return Buffer.from(await answer.arrayBuffer()).toString("base64")
      await answer.body?.cancel()
      await sleep(200)
    }
    return fail("The export does not come to its end.")
  }
  const learner = await connect(before.url, "learner@example.com", PASSWORD)
  const list = `/api/user-certificates/${learner.userId}?page_size=10&page_number=1`
  const certificates = await json<{ records: { id: number }[] }>(await call(learner, "GET", list))
  const [certificate] = certificates.records
  if (!certificate) fail("The sample academy's learner has no certificate.")
  const pdfOf = async (connection: typeof owner) =>
    Buffer.from(
      await (
        await held(await call(connection, "GET", `/api/user-certificate/${certificate.id}/download`))
      ).arrayBuffer(),
    ).length
  const exported = await download(owner)
  const pdf = await pdfOf(learner)
  await before.stop()

  const kills = await throughKills("scripts/backup.ts", ["--to", copy], state)
  const killsOfRestore = await throughKills("scripts/restore.ts", ["--from", copy], restored)
  await run("scripts/backup.ts", ["--to", again], restored)
  const [made, found] = [manifestOf(copy), manifestOf(again)]
  for (const { name, rows, sha256 } of made.tables) {
    if (name === "session_revocations") continue
    const table = found.tables.find((other) => other.name === name)
    expectSame(`The table ${name}`, [table?.rows, table?.sha256], [rows, sha256])
  }
  expectSame("The number of files", found.files.rows, made.files.rows)

  cpSync(join(state, "secrets.env"), join(restored, "secrets.env"))
  // Certificates have the service's address in them.
  const port = Number(new URL(before.url).port)
  const after = await startService(restored, asFlags({ RATE_LIMIT: "1000000" }), { port })
  const there = { url: after.url, token: "" }
  const refreshed = await call(there, "POST", "/session/refresh", { refreshToken })
  expectSame("The device's refresh", refreshed.status, 200)
  await refreshed.body?.cancel()
  expectSame("The export", await download(await connect(after.url, "owner@example.com", PASSWORD)), exported)
  expectSame("The certificate's length", await pdfOf(await connect(after.url, "learner@example.com", PASSWORD)), pdf)
  await after.stop()
  const rows = made.tables.reduce((sum, table) => sum + table.rows, 0)
  conclude(
    `Equal: ${rows} rows of ${made.tables.length} tables and ${made.files.rows} files, ` +
      `after ${kills} kills of the backup and ${killsOfRestore} of the restore.`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
