import { COMPLETION_STATUSES, SUCCESS_STATUSES } from "../../../drizzle/schema/scorm.ts"
import { invalid } from "../../lib/errors.ts"
import { truncate } from "../../lib/text/text.ts"
import { SCORM_POINTS } from "../courses/scorm-packages.queries.ts"

// SCORM run-time data: converts `cmi` as committed by packages, in the data models of 1.2 and 2004, to one form.

/** Maps an element, such as `cmi.core.lesson_status`, to its value. */
export type Cmi = Record<string, string>

const MAX_ELEMENTS = 5000
const MAX_KEY_LENGTH = 255
/** The data model nests six levels; runtimes add their own. */
const MAX_DEPTH = 20
const MAX_VALUE_LENGTH = 64_000
const MAX_INTERACTIONS = 1000

/** Flattens `cmi`, which may consist of flat keys, nested objects and arrays. @throws 422 */
export function flattenCmi(input: Record<string, unknown>): Cmi {
  const flat: Cmi = {}
  let count = 0
  const visit = (key: string, value: unknown, depth: number) => {
    if (value === null || value === undefined) return
    if (typeof value === "object") {
      if (depth > MAX_DEPTH || key.length > MAX_KEY_LENGTH)
        throw invalid("cmi", `cmi contains an invalid element: ${truncate(key, 100)}.`)
      // Some runtimes send arrays as an object with this member.
      for (const [name, member] of Object.entries(value))
        visit(name === "childArray" ? key : `${key}.${name}`, member, depth + 1)
      return
    }
    if (++count > MAX_ELEMENTS) throw invalid("cmi", `cmi must have ${MAX_ELEMENTS} elements or fewer.`)
    if (!/^cmi(\.[\w-]+)+$/.test(key) || key.length > MAX_KEY_LENGTH)
      throw invalid("cmi", `cmi contains an invalid element: ${truncate(key, 100)}.`)
    const text = String(value)
    if (text.length > MAX_VALUE_LENGTH)
      throw invalid("cmi", `${key} in cmi must have ${MAX_VALUE_LENGTH} characters or fewer.`)
    flat[key] = text
  }
  for (const [name, value] of Object.entries(input)) {
    if (name === "cmi") visit("cmi", value, 1)
    else visit(name.startsWith("cmi.") ? name : `cmi.${name}`, value, 1)
  }
  return flat
}

/** Parses a SCORM 1.2 time (`HHHH:MM:SS.SS`) or a SCORM 2004 ISO 8601 duration; undefined if it is neither. */
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

const padTwo = (value: number) => String(value).padStart(2, "0")

/** Formats seconds as a time of the version's data model. */
export function formatTime(version: string, seconds: number): string {
  const hundredths = Math.round(seconds * 100)
  const [hours, minutes] = [Math.floor(hundredths / 360_000), Math.floor(hundredths / 6000) % 60]
  const rest = (hundredths % 6000) / 100
  if (version === "2004") return `PT${hours}H${minutes}M${rest}S`
  const [whole = "0", fraction = ""] = String(rest).split(".")
  return `${String(hours).padStart(4, "0")}:${padTwo(minutes)}:${padTwo(Number(whole))}.${fraction.padEnd(2, "0")}`
}

const parseNumber = (text: string | undefined) =>
  text !== undefined && text.trim() !== "" && Number.isFinite(Number(text)) ? Number(text) : null

/** The state of an attempt, as committed. */
interface AttemptState {
  completionStatus: (typeof COMPLETION_STATUSES)[number]
  successStatus: (typeof SUCCESS_STATUSES)[number]
  scoreRaw: number | null
  scoreMin: number | null
  scoreMax: number | null
  scoreScaled: number | null
  /** Seconds of this session; undefined if not committed. */
  session: number | undefined
  /** Seconds of all sessions according to the runtime; undefined if not committed. */
  total: number | undefined
}

const oneOf = <T extends string>(values: readonly T[], value: string | undefined): T | "unknown" =>
  values.find((known) => known === value) ?? "unknown"

/** Reads the state of an attempt. SCORM 1.2 has a single status for completion and success. */
export function readAttemptState(version: string, cmi: Cmi): AttemptState {
  const core = version === "1.2" ? "cmi.core." : "cmi."
  const score = (name: string) => parseNumber(cmi[`${core}score.${name}`])
  const lesson = cmi["cmi.core.lesson_status"] ?? ""
  const isGraded = lesson === "passed" || lesson === "failed"
  const scorm12: Pick<AttemptState, "completionStatus" | "successStatus"> = {
    completionStatus: isGraded ? "completed" : lesson === "browsed" ? "incomplete" : oneOf(COMPLETION_STATUSES, lesson),
    successStatus: isGraded ? lesson : "unknown",
  }
  const scorm2004 = {
    completionStatus: oneOf(COMPLETION_STATUSES, cmi["cmi.completion_status"]),
    successStatus: oneOf(SUCCESS_STATUSES, cmi["cmi.success_status"]),
  }
  return {
    ...(version === "1.2" ? scorm12 : scorm2004),
    scoreRaw: score("raw"),
    scoreMin: score("min"),
    scoreMax: score("max"),
    scoreScaled: score("scaled"),
    session: parseSeconds(cmi[`${core}session_time`]),
    total: parseSeconds(cmi[`${core}total_time`]),
  }
}

/** Completed and not failed, or passed with unknown completion. */
export const isCompleted = ({
  completionStatus,
  successStatus,
}: Pick<AttemptState, "completionStatus" | "successStatus">) =>
  successStatus !== "failed" &&
  (completionStatus === "completed" || (successStatus === "passed" && completionStatus === "unknown"))

type Score = Pick<AttemptState, "scoreRaw" | "scoreMin" | "scoreMax" | "scoreScaled">

/**
 * Converts the score to the module's 100 points: the raw score within its range, which defaults to 0 to 100, or the
 * scaled score; null if there is no score.
 */
export function toPoints({ scoreRaw, scoreMin, scoreMax, scoreScaled }: Score): number | null {
  const [min, max] = [scoreMin ?? 0, scoreMax ?? SCORM_POINTS]
  const scaled = scoreRaw !== null && max > min ? (scoreRaw - min) / (max - min) : scoreScaled
  return scaled === null ? null : Math.round(SCORM_POINTS * Math.min(1, Math.max(0, scaled)))
}

const isClose = (a: number, b: number) => Math.abs(a - b) < 0.02

interface Clock {
  totalTime: number
  sessionTime: number
  sessionKey: string
}

/**
 * Returns the attempt's total time after a commit. Runtimes commit a session many times with increasing time. The
 * launch key identifies the session. Without a key, the total does: runtimes send the total at the start of the session
 * or, at its end, the total including the session.
 * @param previous the times after the last commit
 * @param key the session key; empty if the runtime sent none
 */
export function addSessionTime(
  previous: Clock,
  { session = 0, total }: Pick<AttemptState, "session" | "total">,
  key: string,
): Clock {
  const base = previous.totalTime - previous.sessionTime
  const isSessionStart = (known: number) =>
    isClose(known, previous.totalTime) || isClose(known, previous.totalTime + session)
  const isSameTotal =
    total === undefined
      ? session >= previous.sessionTime
      : isClose(total, base) || isClose(total, base + session) || !isSessionStart(total)
  const isSameSession = key && previous.sessionKey ? key === previous.sessionKey : isSameTotal
  const after = (isSameSession ? base : previous.totalTime) + session
  if (after < previous.totalTime) return previous
  return { totalTime: after, sessionTime: session, sessionKey: key }
}

const INTERACTION_KEY = /^cmi\.interactions\.(\d+)\.(.+)$/

/** A learner's answer, with SCORM 2004 names. */
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

/** Includes the names that differ in SCORM 1.2. */
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

/** Reads the interactions of a commit in order. @throws 422 if there are too many */
export function readInteractions(cmi: Cmi): Interaction[] {
  const found = new Map<number, Interaction>()
  for (const [key, value] of Object.entries(cmi)) {
    const [, n = "", name = ""] = INTERACTION_KEY.exec(key) ?? []
    if (name === "") continue
    const position = Number(n)
    if (position >= MAX_INTERACTIONS)
      throw invalid("cmi", `cmi.interactions must have ${MAX_INTERACTIONS} members or fewer.`)
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
 * Returns the initial data of a runtime: the attempt's stored data, and the elements that the service provides.
 * @param manifestCmi the elements that the package's manifest defines
 * @param attempt null for a new attempt
 */
export function initialCmi(
  version: string,
  learner: { id: number; name: string },
  manifestCmi: Cmi,
  attempt: { cmi: Cmi; totalTime: number } | null,
): Cmi {
  const core = version === "1.2" ? "cmi.core." : "cmi."
  const person = version === "1.2" ? "student" : "learner"
  const storedCmi = Object.entries(attempt?.cmi ?? {}).filter(
    ([key]) =>
      key !== `${core}session_time` && key !== `${core}exit` && !key.endsWith("._count") && !key.endsWith("._children"),
  )
  const suspended = attempt?.cmi[`${core}exit`] === "suspend"
  return {
    ...Object.fromEntries(storedCmi),
    ...manifestCmi,
    [`${core}${person}_id`]: String(learner.id),
    [`${core}${person}_name`]: learner.name,
    [`${core}entry`]: attempt ? (suspended ? "resume" : "") : "ab-initio",
    [`${core}total_time`]: formatTime(version, attempt?.totalTime ?? 0),
  }
}
