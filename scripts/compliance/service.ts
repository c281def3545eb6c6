// The service as the simulation uses it: a process that can be killed at any moment, and its database, which is only
// read to see whether background work has ended.
import { spawnSync } from "node:child_process"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import { setTimeout as sleep } from "node:timers/promises"
import { RetryingClient } from "../lib/patient-client.ts"
import { freePort } from "../lib/ports.ts"
import { type Service, startService, toVarFlags } from "../lib/service.ts"
import { root } from "../lib/state.ts"
import { requireDatabaseFile } from "../lib/workerd.ts"
import { MINUTE } from "./calendar.ts"
import { type Receiver, writtenAt } from "./receiver.ts"
import { tickAt } from "./ticks.ts"

export const OWNER = "owner@example.com"
/** How long background work may stand still before the clock moves on and the cron runs again. */
const STANDSTILL_MS = 2000
/** After a kill, leases and claims of the killed process end within this time. */
const MAX_SETTLING = 45 * MINUTE

export class SimulatedService {
  readonly client: RetryingClient
  readonly receiver: Receiver
  kills = 0
  /** The recipients and ticks of mails that a kill interrupted, and whose key the provider had forgotten later. */
  readonly interrupted = new Set<string>()
  /** The moments at which mails waited for the next one, because there were too many. */
  readonly delayedAt: number[] = []
  private readonly service: Service
  private readonly database: DatabaseSync
  private readonly pending
  private readonly waiting
  private readonly pauses

  private readonly password: string

  private constructor({
    client,
    receiver,
    service,
    state,
    password,
  }: {
    client: RetryingClient
    receiver: Receiver
    service: Service
    state: string
    password: string
  }) {
    this.password = password
    this.client = client
    this.receiver = receiver
    this.service = service
    this.database = new DatabaseSync(requireDatabaseFile(state), { readOnly: true, timeout: 30_000 })
    this.pending = this.database.prepare(`
      select
        (select count(*) from background_jobs where due_at is not null) as jobs,
        (select count(*) from bulk_uploads where status = 'processing') as uploads,
        (select count(*) from erasures where status = 'processing') as erasures,
        (select count(*) from assignment_queue) as queued,
        (select count(*) from enrollments where due_check_at > 0 and due_check_at <= :at) as checks,
        (select count(*) from enrollments where expires_at > 0 and expired_at = 0 and expires_at <= :at) as access,
        (select count(*) from certificates where expires_at > 0 and revoked_at = 0
          and expires_at <= :at + iif(expiry_state = 0, 30 * 86400000, 0) and expiry_state < 2) as certificates,
        (select count(*) from report_schedules where next_run_at > 0 and next_run_at <= :at) as schedules,
        (select count(*) from report_deliveries where status = 'waiting') as reports,
        (select count(*) from outbox where status = 'sending') as sending,
        (select count(*) from outbox where status = 'queued' and not_before <= :at) as mails,
        (select count(*) from overdue_digests where send_at <= :at) as digests`)
    this.pauses = this.database.prepare("select * from mail_pauses")
    this.waiting = this.database.prepare("select exists (select 1 from outbox where status = 'queued') as waits")
  }

  /** Starts an empty academy. The client is its owner. */
  static async start(state: string, receiver: Receiver, address: string): Promise<SimulatedService> {
    const port = await freePort()
    const vars = {
      ...{ RATE_LIMIT: "1000000000", CLOCK_URL: `${address}/clock`, EVENT_RETENTION_DAYS: "400" },
      ...{ MAIL_PROVIDER: "resend", MAIL_API_URL: address, MAIL_API_KEY: "re_simulated" },
    }
    const flags = ["scripts/compliance/worker.ts", "--empty", ...toVarFlags(vars)]
    const service = await startService(state, flags, { port })
    const owner = spawnSync(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", join(root, "scripts/deploy/owner.ts"), "--local", "--email", OWNER],
      { cwd: root, env: { ...process.env, STATE_DIR: state }, encoding: "utf8", input: "" },
    )
    const [, password] = /Password[^:]*: (\S+)/.exec(owner.stdout) ?? []
    if (!password) throw new Error(`The owner was not created: ${owner.stdout}${owner.stderr}`)
    const client = new RetryingClient(service.url)
    await client.signIn(OWNER, password)
    return new SimulatedService({ client, receiver, service, state, password })
  }

  /** Makes the client a key, because sessions end after hours. */
  async useKey() {
    const body = { name: "Simulation", role: "owner", access: "write" }
    this.client.token = (await this.client.send<{ key: string }>("POST", "/api/api-key/create", body)).key
  }

  /** Calls as the owner: a key cannot erase people. */
  asOwner = async (run: () => Promise<unknown>) => {
    const { token } = this.client
    await this.client.signIn(OWNER, this.password)
    await run()
    this.client.token = token
  }

  /** Sends SIGKILL to the process that runs the Worker and its database, and waits for the next one. */
  async kill() {
    this.kills++
    this.client.up = this.service.killWorkerd()
    await this.client.up
  }

  /** Runs the cron, again if it is killed. */
  private async cron() {
    for (;;) {
      await this.client.up
      const answer = await fetch(`${this.client.url}/cdn-cgi/local/scheduled`).catch(() => undefined)
      await answer?.body?.cancel()
      if (answer?.ok) return
      await sleep(100)
    }
  }

  /** What the service still has to do at the time of its clock. */
  private work(): Record<string, number> {
    try {
      const rows = this.pending.get({ at: this.receiver.now() }) as Record<string, number>
      return this.receiver.isExhausted ? { ...rows, mails: 0 } : rows
    } catch {
      // The database is being recovered after a kill.
      return { unknown: 1 }
    }
  }

  /** Waits until all uploads have ended. */
  async uploaded() {
    for (let waits = 1; this.work().uploads !== 0; waits++) {
      await sleep(5)
      // The cron resumes uploads whose consumer was killed.
      if (waits % 400 === 0) {
        this.receiver.moveTo(this.receiver.now() + 6 * MINUTE)
        await this.cron()
      }
    }
  }

  /** Whether mails wait: for the end of the night or for the next day's quota. */
  get hasWaitingMails(): boolean {
    return this.waiting.get()?.waits === 1
  }

  /** Remembers the mails that the service reports as interrupted. */
  readInterrupted() {
    const rows = this.database.prepare(`
      select recipient, mailing_id as mailing from outbox where status = 'failed' and error like 'interrupted:%'`)
    for (const { recipient, mailing } of rows.all() as { recipient: string; mailing: string }[])
      this.interrupted.add(`${recipient} ${tickAt(writtenAt(mailing))}`)
  }

  /** The oldest mails that wait, for a message. */
  private waitingMails(): string {
    const rows = this.database.prepare(`
      select status, priority, not_before, dispatched_at, claimed_at, attempts, error from outbox
      where status <> 'sent' and not_before > 0 order by not_before limit 3`)
    return JSON.stringify([new Date(this.receiver.now()), rows.all(), this.pauses.all()])
  }

  /** Runs the cron until all work is done. The clock moves a few minutes if something waits for it. */
  async settle() {
    for (const began = this.receiver.now(); ; ) {
      await this.cron()
      let before = JSON.stringify(this.work())
      for (let since = Date.now(); Date.now() - since < STANDSTILL_MS; ) {
        const now = this.work()
        if (Object.values(now).every((count) => count === 0)) return
        const shown = JSON.stringify(now)
        if (shown !== before) since = Date.now()
        before = shown
        await sleep(5)
      }
      if (this.receiver.now() - began > MAX_SETTLING) {
        const { mails, ...others } = this.work()
        if (Object.values(others).some((count) => count > 0))
          throw new Error(`The service does not finish its work: ${before}. ${this.waitingMails()}`)
        if (mails) this.delayedAt.push(began)
        return
      }
      this.receiver.moveTo(this.receiver.now() + 6 * MINUTE)
    }
  }

  async stop() {
    this.database.close()
    await this.service.stop()
  }
}
