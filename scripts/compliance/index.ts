// Whether assigned training holds over years: an academy with three rules, whose people join, complete, are late and
// leave while the clock moves and the process of the service is killed. A ledger computes from the documents what must
// happen and when; the program compares it with the events of the service and with the mails that arrive.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { fail, flags, integer } from "../lib/cli.ts"
import { failures, finish } from "../lib/expect.ts"
import { Random } from "../mirror/random.ts"
import { Academy } from "./academy.ts"
import { DAY, MINUTE } from "./calendar.ts"
import { compare } from "./compare.ts"
import { Ledger, type Occurrence, supervisorPerson, type Training } from "./ledger.ts"
import { Observations } from "./observations.ts"
import { peopleOf } from "./people.ts"
import { Receiver } from "./receiver.ts"
import { OWNER, SimulatedService } from "./service.ts"
import { actingTick, TICKS_PER_DAY, tickTime } from "./ticks.ts"

const values = flags(
  "npm run verify -- compliance",
  "Compares assigned training over simulated years, with kills, with a ledger of what must happen.",
  {
    people: { type: "string", value: "n", default: "40", about: "how many people, or all of the dataset's" },
    data: {
      type: "string",
      value: "folder",
      default: process.env.ACADEMY_DATA ?? "",
      about: "the OULAD dataset: see bench/README.md; without it, people are drawn with its proportions",
    },
    months: { type: "string", value: "n", default: "36", about: "how long the simulation is" },
    kills: { type: "string", value: "n", default: "20", about: "how often the service is killed" },
    quota: {
      type: "string",
      value: "n",
      default: "0",
      about: "how many mails a day are accepted; 0: in proportion to 2,000",
    },
    seed: { type: "string", value: "n", default: "1", about: "the seed of the people and of the kills" },
    shown: { type: "string", value: "n", default: "20", about: "how many differences are shown" },
  },
)
const PEOPLE = values.people === "all" ? Number.POSITIVE_INFINITY : integer("people", values.people)
const SEED = integer("seed", values.seed)
const KILLS = integer("kills", values.kills, 0)
const DAYS = Math.round(integer("months", values.months) * 30.44)
const LAST_TICK = DAYS * TICKS_PER_DAY - 1
/** Of all 28,785 people of the dataset. */
const [FULL_QUOTA, FULL_ACADEMY] = [2000, 28_785]
const MAX_KILL_DELAY = 300

if (PEOPLE === Number.POSITIVE_INFINITY && !values.data) fail("--people all needs the dataset: --data <folder>")
const people = peopleOf(values.data || undefined, PEOPLE, SEED)
const quota = Number(values.quota) || Math.max(5, Math.ceil((FULL_QUOTA * people.length) / FULL_ACADEMY))

const shown = (line: string) => console.info(`${new Date().toISOString().slice(11, 19)}  ${line}`)
const folder = mkdtempSync(join(tmpdir(), "lectern-compliance-"))
process.on("exit", () => rmSync(folder, { recursive: true, force: true }))

const receiver = new Receiver(quota)
const address = await receiver.listen()
receiver.moveTo(tickTime(0) - 60 * MINUTE)
shown(`Starting a service. ${people.length} people, ${DAYS} days, ${KILLS} kills, ${quota} mails a day …`)
const service = await SimulatedService.start(join(folder, "state"), receiver, address)
const academy = new Academy(service.client)
const supervisor = supervisorPerson()
const observations = new Observations()
const ledger = new Ledger(LAST_TICK, supervisor, [OWNER, supervisor.email])

/** When people complete their trainings, by tick. */
const completions = new Map<number, Training[]>()

/** How many days after the beginning of a cycle a person completes it; undefined: never. */
function daysUntilCompletion({ person: { result, draw }, rule, cycle }: Training): number | undefined {
  const drawn = draw(`${rule.key} ${cycle}`)
  const days = draw(`days of ${rule.key} ${cycle}`)
  const isEarly = drawn < (result === "Fail" ? 0.2 : result === "Withdrawn" ? 0.3 : 0.75)
  if (isEarly) return 3 + Math.floor(days * 25)
  const isLate = drawn < (result === "Withdrawn" ? 0.4 : result === "Fail" ? 0.7 : 0.97)
  return isLate ? 30 + Math.floor(days * 150) : undefined
}

ledger.onCycle = (training, tick) => {
  const days = daysUntilCompletion(training)
  if (days === undefined) return
  const day = Math.floor(tickTime(tick) / DAY) + days
  const at = actingTick(day)
  // Access has ended.
  if (training.expiresAt > 0 && tickTime(at) >= training.expiresAt) return
  completions.set(at, [...(completions.get(at) ?? []), training])
}

const joining = Map.groupBy(people, ({ joinsOn }) => actingTick(joinsOn))
const leaving = Map.groupBy(
  people.filter(({ leaves }) => leaves),
  ({ leaves }) => actingTick(leaves?.on ?? 0),
)

/** What people do at a tick, before the cron runs. */
async function act(tick: number) {
  const joins = joining.get(tick) ?? []
  const leaves = (leaving.get(tick) ?? []).filter(({ email }) => ledger.members.has(email))
  const completed = (completions.get(tick) ?? []).filter(
    ({ exists, isRequired, completedAt }) => exists && isRequired && completedAt === undefined,
  )
  completions.delete(tick)
  for (const person of joins) ledger.joins(person, tick)
  for (const training of completed) ledger.completes(training, tick)
  for (const person of leaves) if (person.leaves) ledger.leaves(person, person.leaves.how, tick)
  if (joins.length > 0) {
    await academy.join(joins)
    await service.uploaded()
    observe(await academy.events(), tick)
    await academy.setZones(joins)
  }
  if (completed.length > 0) await academy.complete(completed, receiver.now())
  if (leaves.length > 0) await academy.leave(leaves, service.asOwner)
}

let events = 0
function observe(found: Awaited<ReturnType<Academy["events"]>>, tick: number) {
  events += found.length
  observations.addEvents(found, tick)
}

await academy.prepare(supervisor)
await academy.createRules()
await service.useKey()
await service.settle()
const unrelated = receiver.mails.splice(0).length
if (unrelated !== 1) failures.push(`${unrelated} mails were sent before the first day.`)
const random = new Random(SEED)
const killTicks = new Map<number, number>()
while (killTicks.size < KILLS) killTicks.set(random.below(LAST_TICK), random.below(MAX_KILL_DELAY))

/** The clock jumps over most ticks at which nothing should happen. */
const QUIET_TICKS_RUN = 0.05
const isRun = (tick: number) =>
  tick === LAST_TICK ||
  [joining, leaving, completions, killTicks].some((some) => some.has(tick)) ||
  ledger.isBusy(tick) ||
  service.hasWaitingMails ||
  random.next() < QUIET_TICKS_RUN

/** When people had acted at a tick: a mail that is being sent meanwhile is not too late. */
const actedAt = new Map<number, number>()
/** The service deletes mails after 30 days. */
const DAYS_BETWEEN_READS = 20
let [mostDelayed, ticksRun, nextShown, nextRead] = [0, 0, 0, 0]
const began = Date.now()
for (let tick = 0; tick <= LAST_TICK; tick++) {
  if (!isRun(tick)) continue
  ticksRun++
  receiver.moveTo(tickTime(tick))
  const delay = killTicks.get(tick)
  const killed = delay === undefined ? undefined : sleep(delay).then(() => service.kill())
  await act(tick)
  actedAt.set(tick, receiver.now())
  await service.settle()
  await killed
  if (killed) await service.settle()
  observe(await academy.events(), tick)
  ledger.advance(tick)
  if (tick >= nextRead) {
    nextRead = tick + TICKS_PER_DAY * DAYS_BETWEEN_READS
    service.readInterrupted()
  }
  mostDelayed = Math.max(mostDelayed, receiver.now() - tickTime(tick))
  if (tick >= nextShown) {
    nextShown = tick + TICKS_PER_DAY * 90
    shown(
      `${new Date(tickTime(tick)).toISOString().slice(0, 10)}: ${ledger.members.size} people, ${events} events, ` +
        `${receiver.mails.length} mails, ${service.kills} kills`,
    )
  }
}
shown(
  `The simulation took ${Math.round((Date.now() - began) / 1000)} s for ${ticksRun} of ${LAST_TICK + 1} moments. ` +
    "The mails that wait are sent …",
)
receiver.isUnlimited = true
for (let waits = 0; waits === 0 || (service.hasWaitingMails && waits < 5); waits++) {
  receiver.moveTo(receiver.now() + 2 * 60 * MINUTE)
  await service.settle()
}
service.readInterrupted()
await service.stop()
receiver.close()

// What became due while the last mails were sent belongs to no moment.
const end = tickTime(LAST_TICK) + 60 * MINUTE
for (const mail of receiver.mails) if (mail.writtenAt < end) observations.addMail(mail)

const isReminder = (kind: string) => ["mail due soon", "mail overdue", "mail team copy"].includes(kind)

/**
 * The tick from which a mail may not be sent: its recipient was disabled or erased; of a reminder also: they completed
 * the cycle, or left the rule.
 */
function endOf({ kind, person, training, cycle = 0 }: Occurrence): number {
  const ended = person && ledger.members.get(person.email)?.endedAt
  const ends = isReminder(kind) ? [training?.completions.get(cycle), training?.endedAt] : []
  return Math.min(...[ended, ...ends].map((tick) => tick ?? Number.POSITIVE_INFINITY))
}

const dayOf = (at: number) => Math.floor(at / DAY)
const delayedDays = new Set(service.delayedAt.map(dayOf))

/** Why a mail may be missing: it was interrupted, or it waited, such as for the quota, until it was withdrawn. */
function excuseOf(occurrence: Occurrence) {
  const { kind, key, tick } = occurrence
  if (!kind.startsWith("mail")) return undefined
  if (service.interrupted.has(`${key.split(" ")[0]} ${tick}`)) return "interrupted"
  return endOf(occurrence) < Number.POSITIVE_INFINITY && isDelayedDay(tick) ? "withdrawn" : undefined
}
const isDelayedDay = (tick: number) => {
  const day = dayOf(tickTime(tick))
  return delayedDays.has(day) || (receiver.perDay.get(day) ?? 0) >= quota
}

const { rows, differences } = compare(ledger.expected, observations.seen, excuseOf)
const COLUMNS = [
  "expected",
  "seen",
  "missing",
  "doubled",
  "unexpected",
  "mistimed",
  "withdrawn",
  "interrupted",
] as const
const cells = (first: string, others: readonly (string | number)[]) =>
  first.padEnd(28) + others.map((cell) => String(cell).padStart(12)).join("")
console.info(cells("", COLUMNS))
for (const row of rows)
  console.info(
    cells(
      row.kind,
      COLUMNS.map((name) => row[name]),
    ),
  )
const most = Math.max(0, ...receiver.perDay.values())
console.info(
  `${events} events; ${receiver.mails.length} mails, at most ${most} a day of ${quota}, ` +
    `${receiver.counts.refused} refused, ${receiver.counts.repeated} repeated; ${service.kills} kills; ` +
    `longest settling ${Math.round(mostDelayed / MINUTE)} minutes; ` +
    `mails waited ${service.delayedAt.length} times for the next moment.`,
)
for (const line of differences.slice(0, integer("shown", values.shown))) console.info(`  ${line}`)
if (differences.length > 0) failures.push(`${differences.length} differences between the ledger and the service.`)
for (const line of observations.unknown.slice(0, 5)) failures.push(`Unexpected mail: ${line}`)
let tooLate = 0
for (const { kind, key, sentAt } of observations.seen) {
  const occurrence = ledger.expected.get(`${kind}: ${key}`)
  if (!occurrence || sentAt === undefined || sentAt <= (actedAt.get(endOf(occurrence)) ?? Infinity)) continue
  tooLate++
  if (tooLate <= 10) failures.push(`Sent at ${new Date(sentAt).toISOString()}, which is too late: ${kind}, ${key}`)
}
if (tooLate > 0) failures.push(`${tooLate} mails were sent to people who had completed, or were disabled or erased.`)
if (service.kills !== KILLS) failures.push(`The service was killed ${service.kills} times.`)
finish("Every occurrence was seen once, and nothing else.")
