import { createIdempotencyKey, LecternError, type Schemas } from "../../../client/index.ts"
import { api } from "../client.ts"
import { database, type Report } from "./database.ts"
import { deviceUserId } from "./device-user.ts"
import { waitingReports } from "./waiting.ts"

type Progress = Schemas["Progress"]

const LOCK = "lectern.progress"
/** The connection bar says that reports wait, so a report is not retried for long. */
const RETRY = { attempts: 3, totalMs: 20_000 }

/** Whether sending a report again would fail again. */
const isFinal = ({ status, code }: LecternError) =>
  status >= 400 && status < 500 && status !== 401 && status !== 429 && code !== "conflict"

/** Whether the API did not receive the report or could not process it now. */
const isTemporary = (error: unknown) =>
  error instanceof LecternError &&
  (error.status === 0 || error.status === 429 || error.status >= 500 || error.code === "conflict")

const send = ({ body, key }: Pick<Report, "body" | "key">) =>
  api.POST("/api/module/progress", { body, headers: { "Idempotency-Key": key }, retry: RETRY })

async function readReports(): Promise<Report[]> {
  const userId = deviceUserId()
  return userId === undefined ? [] : (await database()).getAllFromIndex("reports", "user", userId)
}

/** Updates `waitingReports`. */
export async function publishWaiting() {
  waitingReports.set((await readReports()).map(({ body }) => body))
}

/**
 * Stores a report. Heartbeats of one module that were not sent yet become one report.
 * @returns the idempotency key of the report
 */
async function addReport(userId: number, body: Progress): Promise<string> {
  const last = (await readReports()).at(-1)
  const isSame = last?.body.moduleId === body.moduleId && last?.body.registrationId === body.registrationId
  const canMerge = last && isSame && !last.sent && last.body.status !== "Completed"
  const report: Report = canMerge
    ? { ...last, body: { ...last.body, ...body, timeSpent: (last.body.timeSpent ?? 0) + (body.timeSpent ?? 0) } }
    : { userId, key: createIdempotencyKey(), sent: false, body }
  await (await database()).put("reports", report)
  await publishWaiting()
  return report.key
}

/** Sends the reports in order. @returns the errors of those that the API refused, by key. @throws LecternError */
async function sendReports(): Promise<Map<string, LecternError>> {
  const db = await database()
  const refused = new Map<string, LecternError>()
  for (let [next] = await readReports(); next?.id !== undefined; [next] = await readReports()) {
    await db.put("reports", { ...next, sent: true })
    try {
      await send(next)
    } catch (error) {
      if (!(error instanceof LecternError) || !isFinal(error)) throw error
      refused.set(next.key, error)
    }
    await db.delete("reports", next.id)
    await publishWaiting()
  }
  return refused
}

/** One tab at a time adds or sends. */
const exclusively = <T>(action: () => Promise<T>): Promise<T> =>
  navigator.locks ? navigator.locks.request(LOCK, action) : action()

/**
 * Sends the reports that wait.
 * @returns the errors of those that the API refused
 * @throws LecternError if the connection is lost again: what was not sent stays
 */
export const sendWaiting = async (): Promise<LecternError[]> => [...(await exclusively(sendReports)).values()]

/**
 * Reports progress in a module. Without a connection, the device stores the report and sends it later.
 * @throws LecternError if the API refuses it
 */
export async function reportProgress(body: Progress): Promise<"sent" | "waiting"> {
  const userId = deviceUserId()
  const key = userId === undefined ? undefined : await exclusively(() => addReport(userId, body)).catch(() => undefined)
  // A device without storage sends the report at once or not at all.
  if (key === undefined) {
    await send({ body, key: createIdempotencyKey() })
    return "sent"
  }
  if (!navigator.onLine) return "waiting"
  try {
    const error = (await exclusively(sendReports)).get(key)
    if (error) throw error
    return "sent"
  } catch (error) {
    if (isTemporary(error)) return "waiting"
    throw error
  }
}
