import { and, desc, eq, sql } from "drizzle-orm"
import { enrollments } from "../../../drizzle/schema/enrollments.ts"
import type { ScormVersion } from "../../../drizzle/schema/modules.ts"
import { scormAttempts, scormInteractions } from "../../../drizzle/schema/scorm.ts"
import { users } from "../../../drizzle/schema/users.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { type Database, firstRow } from "../../db/client.ts"
import { insertFrom, jsonField } from "../../db/insert-from.ts"
import { rowExists, rowList, subquery } from "../../db/sql.ts"
import type { UnitOfWork } from "../../db/unit-of-work.ts"
import type { Bindings } from "../../env.ts"
import type { Caller } from "../../lib/caller.ts"
import { now } from "../../lib/clock.ts"
import { randomToken } from "../../lib/crypto/crypto.ts"
import { conflict, invalid } from "../../lib/errors.ts"
import { pluralize } from "../../lib/text/words.ts"
import { contentOrigin } from "../../lib/web/content-origin.ts"
import { queueCompletionMail } from "../enrollments/completion-mail.ts"
import {
  type ModuleRef,
  type ModuleSelector,
  RETRY_ON_CONFLICT,
  requireModuleAccess,
  resolveModule,
  selectModuleProgress,
} from "../enrollments/module-progress.queries.ts"
import type { ModuleRow } from "../enrollments/module-rows.ts"
import { advanceModule, toStatusRowId } from "../enrollments/module-statuses.queries.ts"
import { guardEnrollmentExists } from "../enrollments/registrations.queries.ts"
import { createContentToken } from "./scorm-content-token.ts"
import {
  addSessionTime,
  flattenCmi,
  initialCmi,
  isCompleted,
  readAttemptState,
  readInteractions,
  toPoints,
} from "./scorm-run-time.ts"

/** A registration's newest attempt at a package. */
const newest = (db: Database, which: ModuleSelector) =>
  db
    .select({
      id: scormAttempts.id,
      number: scormAttempts.number,
      scormVersion: scormAttempts.scormVersion,
      totalTime: scormAttempts.totalTime,
      sessionTime: scormAttempts.sessionTime,
      sessionKey: scormAttempts.sessionKey,
      cmi: scormAttempts.cmi,
      startedAt: scormAttempts.startedAt,
    })
    .from(scormAttempts)
    .where(sql`${scormAttempts.enrollmentId} = ${which.enrollmentId} and ${scormAttempts.moduleId} = ${which.moduleId}`)
    .orderBy(desc(scormAttempts.number))
    .limit(1)

type Attempt = Awaited<ReturnType<typeof newest>>[number]

/**
 * Makes the batch fail when another commit came first: the time to be added was reckoned from the attempt as it was
 * read.
 */
const unchangedAttempt = (work: UnitOfWork, { id, totalTime, sessionTime, sessionKey }: Attempt) =>
  work.guard(
    rowExists(
      scormAttempts,
      and(
        eq(scormAttempts.id, id),
        eq(scormAttempts.totalTime, totalTime),
        eq(scormAttempts.sessionTime, sessionTime),
        eq(scormAttempts.sessionKey, sessionKey),
      ),
    ),
  )

/** The attempt that goes on: none where the module was reset since, or its package is of another version now. */
const goingOn = ([attempt]: Attempt[], row: ModuleRow, version: string): Attempt | undefined =>
  attempt &&
  attempt.scormVersion === version &&
  row.status &&
  row.status !== ModuleStatus.NotStarted &&
  attempt.startedAt >= (row.startedAt ?? 0)
    ? attempt
    : undefined

/** The version of a module's package. @throws 409 without one */
function packageIn<
  P extends { scormVersion: ScormVersion | null; packageKey: string | null; launchPath: string | null },
>({ scormVersion, packageKey, launchPath }: P) {
  if (scormVersion === null || packageKey === null || launchPath === null)
    throw conflict("package_required", "The module has no package yet; upload one.")
  return { version: scormVersion, packageKey, launchPath }
}

/** Each step of a path as a URL has it; its query and fragment stay. */
function urlPath(launchPath: string): string {
  const [path = ""] = launchPath.split(/[?#]/)
  return path.split("/").map(encodeURIComponent).join("/") + launchPath.slice(path.length)
}

/**
 * What a player needs to begin: where the package is, and the data of the attempt that goes on.
 * @param base where callers reach the service, whose pages play the package
 * @throws 404; 409 as the module's locks and dates say, and where no origin runs packages
 */
export async function launchPackage(
  db: Database,
  caller: Caller,
  { env, base }: { env: Bindings; base: string },
  ref: ModuleRef,
) {
  const which = resolveModule(ref)
  const [found, rows, attempts, people] = await db.batch([
    ...selectModuleProgress(db, caller, "scorm", which),
    newest(db, which),
    db
      .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
      .from(users)
      .where(
        eq(
          users.id,
          subquery(
            sql`(select ${enrollments.userId} from ${enrollments} where ${enrollments.id} = ${which.enrollmentId})`,
          ),
        ),
      ),
  ])
  const { registration, row, held } = requireModuleAccess(found, rows[0], "scorm")
  if (held) throw held
  const { version, packageKey, launchPath } = packageIn(registration)
  const attempt = goingOn(attempts, row, version)
  const { id, firstName, lastName } = firstRow(people)
  const content = contentOrigin(env, base)
  if (content === undefined)
    throw conflict(
      "content_origin_required",
      "Packages run on an origin of their own, and this service has none: its operator sets CONTENT_ORIGIN.",
    )
  const player = new URL(base).origin
  const token = createContentToken(env, { scorm: packageKey, version, file: urlPath(launchPath), content, player })
  return {
    launchUrl: `${content}/scorm/${token}/`,
    commitUrl: `${base}/api/scorm/commit?${new URLSearchParams({
      registrationId: String(registration.enrollmentId),
      moduleId: String(registration.moduleId),
      session: randomToken().slice(0, 16),
    })}`,
    version,
    statusRowId: row.statusRowId ?? -1,
    registrationId: registration.enrollmentId,
    moduleId: registration.moduleId,
    attempt: attempt?.number ?? 0,
    cmi: initialCmi(
      version,
      { id, name: [lastName, firstName].filter(Boolean).join(", ") },
      registration.launchCmi,
      attempt ?? null,
    ),
  }
}

/**
 * Keeps what a package committed, and opens or completes the module.
 * @param base the origin that links in mails lead to, without a slash at the end
 * @param sessionKey as the launch's commit path has it; empty where the runtime did not tell
 * @throws 404; 409 as the module's locks and dates say; 422 for what is no data of SCORM
 */
export async function commitRunTime(
  work: UnitOfWork,
  base: string,
  ref: ModuleRef,
  given: Record<string, unknown>,
  sessionKey: string,
) {
  if ((ref.statusRowId ?? 0) < 1 && (ref.registrationId === undefined || ref.moduleId === undefined))
    throw invalid("statusRowId", "statusRowId is required, or registrationId and moduleId where none exists yet.")
  const cmi = flattenCmi(given)
  const interactions = readInteractions(cmi)
  const { db, caller } = work
  const which = resolveModule(ref)
  const [attemptIds, found, rows, attempts] = await work.read([
    work.nextIds("scorm_attempts"),
    ...selectModuleProgress(db, caller, "scorm", which),
    newest(db, which),
  ])
  const { registration, row, held } = requireModuleAccess(found, rows[0], "scorm")
  if (held) throw held
  const { version } = packageIn(registration)
  const attempt = goingOn(attempts, row, version)
  const { session, total, ...standing } = readAttemptState(version, cmi)
  const before = {
    totalTime: attempt?.totalTime ?? 0,
    sessionTime: attempt?.sessionTime ?? 0,
    sessionKey: attempt?.sessionKey ?? "",
  }
  const time = addSessionTime(before, { session, total }, sessionKey)
  const seconds = Math.round(time.totalTime) - Math.round(before.totalTime)
  const missing = row.minTimeSpent - (row.timeSpent ?? 0) - seconds
  const finished = isCompleted(standing)
  const completed = finished && missing <= 0
  const at = now()
  const { enrollmentId, moduleId } = registration
  const id = attempt?.id ?? firstRow(attemptIds).last
  const number = attempt?.number ?? (attempts[0]?.number ?? 0) + 1
  const statusRowId = toStatusRowId(registration)
  const state = { ...standing, ...time, cmi, lastAccessedAt: at }
  const told = attempt?.cmi ?? {}
  const moved = readAttemptState(version, told)
  const isNews = moved.completionStatus !== standing.completionStatus || moved.successStatus !== standing.successStatus
  const status = completed || row.status === ModuleStatus.Completed ? ModuleStatus.Completed : ModuleStatus.InProgress
  return work.commit(
    [
      guardEnrollmentExists(work, registration),
      ...advanceModule(work, registration, {
        moduleId,
        completed,
        points: toPoints(standing),
        opened: !attempt,
        seconds,
        startedAt: at,
        at,
      }),
      ...(completed && row.status !== ModuleStatus.Completed ? queueCompletionMail(work, base, enrollmentId, at) : []),
      ...(attempt ? [unchangedAttempt(work, attempt)] : []),
      attempt
        ? db.update(scormAttempts).set(state).where(eq(scormAttempts.id, id))
        : db.insert(scormAttempts).values({
            id,
            enrollmentId,
            moduleId,
            statusRowId,
            number,
            scormVersion: version,
            startedAt: at,
            ...state,
          }),
      db.delete(scormInteractions).where(eq(scormInteractions.attemptId, id)),
      insertFrom(
        db,
        scormInteractions,
        {
          attemptId: id,
          position: jsonField("position"),
          interactionId: jsonField("interactionId"),
          type: jsonField("type"),
          objectives: jsonField("objectives"),
          timestamp: jsonField("timestamp"),
          correctResponses: jsonField("correctResponses"),
          weighting: jsonField("weighting"),
          learnerResponse: jsonField("learnerResponse"),
          result: jsonField("result"),
          latency: jsonField("latency"),
          description: jsonField("description"),
        },
        sql`from ${rowList(interactions)} where true`,
      ),
      // Runtimes commit every few seconds: what the log is told is that an attempt began, and how it stands.
      ...(!attempt || isNews
        ? [
            work.audit(
              attempt ? "updated" : "created",
              "scorm attempt",
              { id, name: registration.name },
              { userId: registration.userId, attempt: number, ...standing },
            ),
          ]
        : []),
    ],
    {
      message:
        finished && missing > 0
          ? `Committed. The module is Completed once ${pluralize(missing, "more second")} are spent in it.`
          : "Committed.",
      result: true as const,
      errorCode: 0 as const,
      statusRowId,
      attempt: number,
      status,
      completion_status: standing.completionStatus,
      success_status: standing.successStatus,
    },
    {
      ...RETRY_ON_CONFLICT,
      mark: () =>
        rowExists(scormAttempts, sql`${scormAttempts.id} = ${id} and ${scormAttempts.lastAccessedAt} = ${at}`),
    },
  )
}
