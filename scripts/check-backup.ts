// Copies the sample academy while it is used, and once it rests; restores both copies; all killed again and again.
// Tries what came of it: the copy of the academy in use holds together, the other is the academy row by row and file by
// file; a sign-in by password and one by device, a certificate, an export. It takes minutes.
import { spawn } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { call, connect, held, json, PASSWORD } from "./lib/client.ts"
import { conclude, expectSame } from "./lib/expect.ts"
import { fail, flags } from "./lib/flags.ts"
import { bucketIn } from "./lib/kept-files.ts"
import { asFlags, startService } from "./lib/servers.ts"
import { unsound } from "./lib/sound.ts"
import { databaseIn, root } from "./lib/state.ts"

flags("npm run check:backup", "Copies and restores the sample academy through kills, and tries what was restored.", {})
/** How long a backup or restore runs before it is killed, milliseconds: longer each time. */
const LIVES = [700, 1100, 1500, 2000, 2600, 3400]

const folder = mkdtempSync(join(tmpdir(), "lectern-backup-"))
const at = (name: string) => join(folder, name)
const [state, restored] = [at("state"), at("restored")]

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

/** Copies an academy, through kills. @returns how often it was killed */
async function copied(to: string): Promise<number> {
  const isWhole = () => existsSync(join(to, "manifest.json")) && !existsSync(join(to, "unfinished.json"))
  for (const [kills, life] of LIVES.entries())
    if ((await run("scripts/backup.ts", ["--to", to], state, life)) || isWhole()) return kills
  await run("scripts/backup.ts", ["--to", to], state)
  return LIVES.length
}

/** Restores a copy, through kills. @returns how often it was killed */
async function restoredFrom(from: string): Promise<number> {
  for (const [kills, life] of LIVES.entries())
    if (await run("scripts/restore.ts", ["--from", from], restored, life)) return kills
  await run("scripts/restore.ts", ["--from", from], restored)
  return LIVES.length
}

const open = (stateDir: string) => new DatabaseSync(databaseIn(stateDir) ?? "", { readOnly: true, timeout: 5000 })

/** Expects a database to be another, table by table. @returns how many rows they have */
function expectEqual(one: string, other: string): number {
  const database = open(one)
  database.exec(`attach database '${databaseIn(other)}' as other`)
  const stands = (name: string) =>
    `select name, sql from ${name}.sqlite_master where name <> 'd1_migrations' and substr(name, 1, 4) <> '_cf_'`
  const others = database
    .prepare(`select name from (${stands("main")} except ${stands("other")}) union
      select name from (${stands("other")} except ${stands("main")})`)
    .all()
  expectSame(
    "What stands in the one database alone",
    others.map(({ name }) => name),
    [],
  )
  const tables = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all()
  let rows = 0
  for (const { name } of tables) {
    if (name === "session_revocations" || String(name).startsWith("sqlite_") || String(name).startsWith("_cf_"))
      continue
    const count = (from: string) => Number(database.prepare(`select count(*) as rows from ${from}`).get()?.rows)
    const less = (a: string, b: string) => count(`(select * from ${a}."${name}" except select * from ${b}."${name}")`)
    expectSame(`The table ${name}`, [less("main", "other"), less("other", "main")], [0, 0])
    expectSame(`The rows of ${name}`, count(`other."${name}"`), count(`main."${name}"`))
    rows += count(`main."${name}"`)
  }
  database.close()
  return rows
}

/** Changes an academy without end: each call writes rows, counts, mails and events. @returns what ends it */
function useIt(owner: Awaited<ReturnType<typeof connect>>) {
  let isOn = true
  let calls = 0
  const used = (async () => {
    while (isOn) {
      const email = `busy${calls}@example.com`
      const password = { password: PASSWORD, password_confirmation: PASSWORD }
      const body = { firstName: "Ada", lastName: "Busy", email, ...password }
      const answer = await call(owner, "POST", "/api/user/create", body)
      // 503: this machine's database was written into by the backup in that moment.
      if (answer.status !== 503) await held(answer)
      calls++
      await answer.body?.cancel()
    }
    return calls
  })()
  return async () => {
    isOn = false
    return used
  }
}

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
  const rest = useIt(owner)
  const killsInUse = await copied(at("in-use"))
  const calls = await rest()
  await before.stop()
  await run("scripts/restore.ts", ["--from", at("in-use")], at("of-use"))
  const ofUse = open(at("of-use"))
  expectSame("What does not hold together", unsound(ofUse), [])
  const people = ofUse.prepare("select count(*) as people from users where email like 'busy%'").get()?.people
  if (!(Number(people) > 0 && Number(people) < calls))
    fail(`The copy has ${people} of the ${calls} people made meanwhile.`)
  ofUse.close()

  const kills = await copied(at("copy"))
  const killsOfRestore = await restoredFrom(at("copy"))
  const rows = expectEqual(state, restored)
  expectSame("The files", bucketIn(restored).keys, bucketIn(state).keys)

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
  conclude(
    `Equal: ${rows} rows, after ${kills} kills of the backup and ${killsOfRestore} of the restore. ` +
      `Of one moment: the copy made during ${calls} calls, after ${killsInUse} kills.`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
