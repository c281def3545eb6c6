import { COMPLETION_STATUSES, SUCCESS_STATUSES } from "../../../drizzle/schema/scorm.ts"
import { invalid } from "../../lib/errors.ts"
import { truncate } from "../../lib/text/text.ts"
import { SCORM_POINTS } from "../courses/scorm-packages.queries.ts"

// SCORM's run-time data: `cmi` as packages commit it, in the data models of 1.2 and of 2004, read into one form.

/** Element (`cmi.core.lesson_status`) to value. */
export type Cmi = Record<string, string>

const MOST_ELEMENTS = 5000
const LONGEST_KEY = 255
/** Objects within objects: the data model has six, runtimes' own ones in between. */
const DEEPEST = 20
const LONGEST = 64_000
/** The most interactions of an attempt. */
const MOST_INTERACTIONS = 1000

/** Reads `cmi` as flat keys, nested objects, arrays, or a mixture. @throws 422 */
export function flattenCmi(given: Record<string, unknown>): Cmi {
  const flat: Cmi = {}
  let count = 0
  const visit = (key: string, value: unknown, depth: number) => {
    if (value === null || value === undefined) return
    if (typeof value === "object") {
      if (depth > DEEPEST || key.length > LONGEST_KEY) throw invalid("cmi", `cmi has no element ${truncate(key, 100)}.`)
      // Arrays are spelled by some runtimes as an object with this member.
      for (const [name, member] of Object.entries(value))
        visit(name === "childArray" ? key : `${key}.${name}`, member, depth + 1)
      return
    }
    if (++count > MOST_ELEMENTS) throw invalid("cmi", `cmi must have ${MOST_ELEMENTS} elements or fewer.`)
    if (!/^cmi(\.[\w-]+)+$/.test(key) || key.length > LONGEST_KEY)
      throw invalid("cmi", `cmi has no element ${truncate(key, 100)}.`)
    const text = String(value)
    if (text.length > LONGEST) throw invalid("cmi", `cmi's ${key} must have ${LONGEST} characters or fewer.`)
    flat[key] = text
  }
  for (const [name, value] of Object.entries(given)) {
    if (name === "cmi") visit("cmi", value, 1)
    else visit(name.startsWith("cmi.") ? name : `cmi.${name}`, value, 1)
  }
  return flat
}

/** Seconds of SCORM 1.2's `HHHH:MM:SS.SS` or of 2004's ISO 8601 duration; undefined for anything else. */
export function parseSeconds(text: string | undefined): number | undefined {
  if (!text) return undefined
  const clock = /^(\d{1,4}):(\d{2}):(\d{2}(?:\.\d{1,2})?)$/.exec(text)
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3])
  const iso = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/.exec(text)
  if (!iso) return undefined
  const [, years, months, days, hours, minutes, seconds] = iso.map((part) => Number(part ?? 0))
  const wholeDays = (years ?? 0) * 365 + (months ?? 0) * 30 + (days ?? 0)
  return wholeDays * 86_400 + (hours ?? 0) * 3600 + (minutes ?? 0) * 60 + (seconds ?? 0)
}

const two = (value: number) => String(value).padStart(2, "0")

/** Seconds as the version's data model spells a time. */
export function formatTime(version: string, seconds: number): string {
  const hundredths = Math.round(seconds * 100)
  const [hours, minutes] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60]
  const rest = (hundredths % 6000) / 100
  if (version === "2004") return `PT${hours}H${minutes}M${rest}S`
  const [whole = "0", fraction = ""] = String(rest).split(".")
  return `${String(hours).padStart(4, "0")}:${two(minutes)}:${two(Number(whole))}.${fraction.padEnd(2, "0")}`
}

const numberOf = (text: string | undefined) =>
  text !== undefined && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null

/** What a commit says of the attempt. */
interface AttemptState {
  completionStatus: (typeof COMPLETION_STATUSES)[number]
  successStatus: (typeof SUCCESS_STATUSES)[number]
  scoreRaw: number | null
  scoreMin: number | null
  scoreMax: number | null
  scoreScaled: number | null
  /** Seconds of this session; undefined where it was not told. */
  session: number | undefined
  /** Seconds of all sessions, as the runtime knows them; undefined where it was not told. */
  total: number | undefined
}

const among = <T extends string>(values: readonly T[], value: string | undefined): T | "unknown" =>
  values.find((known) => known === value) ?? "unknown"

/** Reads an attempt's state in either version's terms. SCORM 1.2 tells completion and success in one status. */
export function readAttemptState(version: string, cmi: Cmi): AttemptState {
  const core = version === "1.2" ? "cmi.core." : "cmi."
  const score = (name: string) => numberOf(cmi[`${core}score.${name}`])
  const lesson = cmi["cmi.core.lesson_status"] ?? ""
  const judged = lesson === "passed" || lesson === "failed"
  const single: Pick<AttemptState, "completionStatus" | "successStatus"> = {
    completionStatus: judged ? "completed" : lesson === "browsed" ? "incomplete" : among(COMPLETION_STATUSES, lesson),
    successStatus: judged ? lesson : "unknown",
  }
  const own = {
    completionStatus: among(COMPLETION_STATUSES, cmi["cmi.completion_status"]),
    successStatus: among(SUCCESS_STATUSES, cmi["cmi.success_status"]),
  }
  return {
    ...(version === "1.2" ? single : own),
    scoreRaw: score("raw"),
    scoreMin: score("min"),
    scoreMax: score("max"),
    scoreScaled: score("scaled"),
    session: parseSeconds(cmi[`${core}session_time`]),
    total: parseSeconds(cmi[`${core}total_time`]),
  }
}

/** Completed, and not failed; or passed, where completion is left open. */
export const isCompleted = ({
  completionStatus,
  successStatus,
}: Pick<AttemptState, "completionStatus" | "successStatus">) =>
  successStatus !== "failed" &&
  (completionStatus === "completed" || (successStatus === "passed" && completionStatus === "unknown"))

type Score = Pick<AttemptState, "scoreRaw" | "scoreMin" | "scoreMax" | "scoreScaled">

/**
 * What the attempt earned of the module's 100 points: the raw score within its range (0 to 100 where the package tells
 * none), else the scaled one; null: not scored.
 */
export function toPoints({ scoreRaw, scoreMin, scoreMax, scoreScaled }: Score): number | null {
  const [least, most] = [scoreMin ?? 0, scoreMax ?? SCORM_POINTS]
  const share = scoreRaw !== null && most > least ? (scoreRaw - least) / (most - least) : scoreScaled
  return share === null ? null : Math.round(SCORM_POINTS * Math.min(1, Math.max(0, share)))
}

const near = (a: number, b: number) => Math.abs(a - b) < 0.02

interface Clock {
  totalTime: number
  sessionTime: number
  sessionKey: string
}

/**
 * The attempt's total time after a commit. Runtimes commit a session many times, its time growing. Which session it is,
 * its launch's key says; without one it is told by the total, which runtimes give as it was at the session's start or,
 * at its end, with the session added.
 * @param before as of the last commit
 * @param key the session's, empty where the runtime did not tell
 */
export function addSessionTime(
  before: Clock,
  { session = 0, total }: Pick<AttemptState, "session" | "total">,
  key: string,
): Clock {
  const base = before.totalTime - before.sessionTime
  const begun = (known: number) => near(known, before.totalTime) || near(known, before.totalTime + session)
  const looksSame =
    total === undefined
      ? session >= before.sessionTime
      : near(total, base) || near(total, base + session) || !begun(total)
  const goesOn = key && before.sessionKey ? key === before.sessionKey : looksSame
  const after = (goesOn ? base : before.totalTime) + session
  if (after < before.totalTime) return before
  return { totalTime: after, sessionTime: session, sessionKey: key }
}

const PATH = /^cmi\.interactions\.(\d+)\.(.+)$/

/** What a learner answered, in SCORM 2004's terms. */
export interface Interaction {
  position: number
  interactionId: string
  type: string
  objectives: string
  timestamp: string
  correctResponses: string
  weighting: string
  learnerResponse: string
  result: string
  latency: string
  description: string
}

/** SCORM 1.2 has other names for some of them. */
const MEMBERS = new Map<string, Exclude<keyof Interaction, "position">>([
  ["id", "interactionId"],
  ["type", "type"],
  ["timestamp", "timestamp"],
  ["time", "timestamp"],
  ["weighting", "weighting"],
  ["learner_response", "learnerResponse"],
  ["student_response", "learnerResponse"],
  ["result", "result"],
  ["latency", "latency"],
  ["description", "description"],
])

/** The interactions of a commit, in their order. @throws 422 for too many */
export function readInteractions(cmi: Cmi): Interaction[] {
  const found = new Map<number, Interaction>()
  for (const [key, value] of Object.entries(cmi)) {
    const [, n = "", name = ""] = PATH.exec(key) ?? []
    if (name === "") continue
    const position = Number(n)
    if (position >= MOST_INTERACTIONS)
      throw invalid("cmi", `cmi.interactions must have ${MOST_INTERACTIONS} members or fewer.`)
    const interaction = found.get(position) ?? {
      position,
      interactionId: "",
      type: "",
      objectives: "",
      timestamp: "",
      correctResponses: "",
      weighting: "",
      learnerResponse: "",
      result: "",
      latency: "",
      description: "",
    }
    found.set(position, interaction)
    const member = MEMBERS.get(name)
    if (member) interaction[member] = value
    else if (/^objectives\.\d+\.id$/.test(name))
      interaction.objectives = [interaction.objectives, value].filter(Boolean).join(", ")
    else if (/^correct_responses\.\d+\.pattern$/.test(name))
      interaction.correctResponses = [interaction.correctResponses, value].filter(Boolean).join("\n")
  }
  return [...found.values()].sort((a, b) => a.position - b.position)
}

/**
 * What a runtime is to begin with: the attempt's data as it was left, and what the data model has the service tell.
 * @param told what the package's manifest has the service tell it
 * @param attempt null: a new one
 */
export function initialCmi(
  version: string,
  learner: { id: number; name: string },
  told: Cmi,
  attempt: { cmi: Cmi; totalTime: number } | null,
): Cmi {
  const core = version === "1.2" ? "cmi.core." : "cmi."
  const person = version === "1.2" ? "student" : "learner"
  const kept = Object.entries(attempt?.cmi ?? {}).filter(
    ([key]) =>
      key !== `${core}session_time` && key !== `${core}exit` && !key.endsWith("._count") && !key.endsWith("._children"),
  )
  const suspended = attempt?.cmi[`${core}exit`] === "suspend"
  return {
    ...Object.fromEntries(kept),
    ...told,
    [`${core}${person}_id`]: String(learner.id),
    [`${core}${person}_name`]: learner.name,
    [`${core}entry`]: attempt ? (suspended ? "resume" : "") : "ab-initio",
    [`${core}total_time`]: formatTime(version, attempt?.totalTime ?? 0),
  }
}
