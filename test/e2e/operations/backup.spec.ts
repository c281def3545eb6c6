import { spawn } from "node:child_process"
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { readBucket } from "../../../scripts/lib/bucket.ts"
import { type Connection, call, connect, expectOk, json, PASSWORD } from "../../../scripts/lib/client.ts"
import { findInconsistencies } from "../../../scripts/lib/consistency.ts"
import { startService, toVarFlags } from "../../../scripts/lib/service.ts"
import { findDatabaseFile, root } from "../../../scripts/lib/state.ts"
import { expect, testWithoutService as test } from "../fixtures.ts"
import { get, post } from "../support/api.ts"

/** How long a backup or restore runs before it is killed, in ms: longer each time. */
const KILL_AFTER_MS = [700, 1100, 1500, 2000, 2600, 3400]
const SERVICE_FLAGS = toVarFlags({ RATE_LIMIT: "1000000" })

/** Runs a script on a state folder. @returns whether it finished before it was killed */
async function run(script: string, args: string[], stateDir: string, killAfter?: number): Promise<boolean> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", join(root, script), "--local", ...args],
    { cwd: root, env: { ...process.env, STATE_DIR: stateDir }, stdio: ["ignore", "ignore", "inherit"], detached: true },
  )
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve))
  const { pid } = child
  // The process group includes the workerd that the script starts.
  const timer = killAfter && pid ? setTimeout(() => process.kill(-pid, "SIGKILL"), killAfter) : undefined
  const code = await ended
  clearTimeout(timer)
  if (code !== 0 && code !== null) throw new Error(`${script} ended with ${code}.`)
  return code === 0
}

async function backUpThroughKills(from: string, to: string) {
  const isComplete = () => existsSync(join(to, "manifest.json")) && !existsSync(join(to, "unfinished.json"))
  for (const killAfter of KILL_AFTER_MS)
    if ((await run("scripts/backup/backup.ts", ["--to", to], from, killAfter)) || isComplete()) return
  await run("scripts/backup/backup.ts", ["--to", to], from)
}

async function restoreThroughKills(from: string, to: string) {
  for (const killAfter of KILL_AFTER_MS)
    if (await run("scripts/backup/restore.ts", ["--from", from], to, killAfter)) return
  await run("scripts/backup/restore.ts", ["--from", from], to)
}

const open = (stateDir: string) => new DatabaseSync(findDatabaseFile(stateDir) ?? "", { readOnly: true, timeout: 5000 })

/** Expects two state folders to have databases with equal schemas and rows. */
function expectEqualDatabases(one: string, other: string) {
  const database = open(one)
  database.exec(`attach database '${findDatabaseFile(other)}' as other`)
  const schemaOf = (name: string) =>
    `select name, sql from ${name}.sqlite_master where name <> 'd1_migrations' and substr(name, 1, 4) <> '_cf_'`
  const others = database
    .prepare(`select name from (${schemaOf("main")} except ${schemaOf("other")}) union
      select name from (${schemaOf("other")} except ${schemaOf("main")})`)
    .all()
  expect(
    others.map(({ name }) => name),
    "tables, indexes, triggers and views of only one database",
  ).toEqual([])
  const tables = database.prepare("select name from pragma_table_list where schema = 'main' and type = 'table'").all()
  for (const { name } of tables) {
    if (
      ["restores", "session_revocations"].includes(String(name)) ||
      String(name).startsWith("sqlite_") ||
      String(name).startsWith("_cf_")
    )
      continue
    const count = (from: string) => Number(database.prepare(`select count(*) as rows from ${from}`).get()?.rows)
    const onlyIn = (a: string, b: string) => count(`(select * from ${a}."${name}" except select * from ${b}."${name}")`)
    expect([onlyIn("main", "other"), onlyIn("other", "main")], `rows of ${name} that only one database has`).toEqual([
      0, 0,
    ])
    expect(count(`other."${name}"`), `number of rows of ${name}`).toEqual(count(`main."${name}"`))
  }
  database.close()
}

/** Creates users, one after the other. @returns a function that ends this and returns their number */
function keepBusy(owner: Connection) {
  let isRunning = true
  let calls = 0
  const running = (async () => {
    while (isRunning) {
      const email = `busy${calls}@example.com`
      const password = { password: PASSWORD, password_confirmation: PASSWORD }
      const body = { firstName: "Ada", lastName: "Busy", email, ...password }
      const answer = await call(owner, "POST", "/api/user/create", body)
      // 503: this machine's database was written into by the backup in that moment.
      if (answer.status !== 503) await expectOk(answer)
      calls++
      await answer.body?.cancel()
    }
    return calls
  })()
  return async () => {
    isRunning = false
    return running
  }
}

test("backups and restores that are killed repeatedly lose no data", async ({ folder }) => {
  test.setTimeout(900_000)
  const at = (name: string) => join(folder, name)
  const [state, restored] = [at("state"), at("restored")]

  const before = await startService(state, SERVICE_FLAGS)
  const anonymous = { url: before.url, token: "" }
  const login = { email: "learner@example.com", password: PASSWORD, device: "A phone" }
  const { refreshToken } = await json<{ refreshToken: string }>(await call(anonymous, "POST", "/login", login))
  const owner = await connect(before.url, "owner@example.com", PASSWORD)
  const learner = await connect(before.url, "learner@example.com", PASSWORD)
  const { export_id } = await post(owner, "/api/users/export", {})
  const download = async (user: Connection) => {
    let file = ""
    await expect(async () => {
      const answer = await expectOk(await call(user, "GET", `/api/users/export/download/${export_id}`))
      file = Buffer.from(await answer.arrayBuffer()).toString("base64")
    }).toPass({ timeout: 60_000 })
    return file
  }
  const paging = { page_size: 10, page_number: 1 }
  const list = `/api/user-certificates/${learner.userId}`
  const { records } = await get<{ records: { id: number }[] }>(learner, list, paging)
  const pdfLength = async (user: Connection) => {
    const answer = await expectOk(await call(user, "GET", `/api/user-certificate/${records[0]?.id}/download`))
    return (await answer.arrayBuffer()).byteLength
  }
  const exported = await download(owner)
  const length = await pdfLength(learner)

  await test.step("a backup of a running service is consistent", async () => {
    const stopUsers = keepBusy(owner)
    await backUpThroughKills(state, at("in-use"))
    const created = await stopUsers()
    await before.stop()
    await run("scripts/backup/restore.ts", ["--from", at("in-use")], at("of-use"))
    const database = open(at("of-use"))
    expect(findInconsistencies(database), "inconsistencies").toEqual([])
    const users = Number(database.prepare("select count(*) as n from users where email like 'busy%'").get()?.n)
    expect(users).toBeGreaterThan(0)
    expect(users).toBeLessThan(created)
    database.close()
  })

  await test.step("a backup of a stopped service restores every row and every file", async () => {
    await backUpThroughKills(state, at("copy"))
    await restoreThroughKills(at("copy"), restored)
    expectEqualDatabases(state, restored)
    expect(readBucket(restored).keys).toEqual(readBucket(state).keys)
  })

  await test.step("sessions, exports and certificates work after the restore", async () => {
    cpSync(join(state, "secrets.env"), join(restored, "secrets.env"))
    // A certificate contains the address of the service.
    const after = await startService(restored, SERVICE_FLAGS, { port: Number(new URL(before.url).port) })
    const refreshed = await call({ url: after.url, token: "" }, "POST", "/session/refresh", { refreshToken })
    expect(refreshed.status).toBe(200)
    expect(await download(await connect(after.url, "owner@example.com", PASSWORD))).toBe(exported)
    expect(await pdfLength(await connect(after.url, "learner@example.com", PASSWORD))).toBe(length)
    await after.stop()
  })
})
