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

/** Selects the latest attempt of an enrollment at a package. */
const selectLatestAttempt = (db: Database, moduleKey: ModuleSelector) =>
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
    .where(
      sql`${scormAttempts.enrollmentId} = ${moduleKey.enrollmentId}
      and ${scormAttempts.moduleId} = ${moduleKey.moduleId}`,
    )
    .orderBy(desc(scormAttempts.number))
    .limit(1)

type Attempt = Awaited<ReturnType<typeof selectLatestAttempt>>[number]

/**
 * Guards that no other commit came first, because the time to add was computed from the attempt as it was read.
 */
const guardAttemptUnchanged = (work: UnitOfWork, { id, totalTime, sessionTime, sessionKey }: Attempt) =>
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

/** The attempt to resume; undefined if the module was reset since, or the package now has another SCORM version. */
const resumableAttempt = ([attempt]: Attempt[], row: ModuleRow, version: string): Attempt | undefined =>
  attempt &&
  attempt.scormVersion === version &&
  row.status &&
  row.status !== ModuleStatus.NotStarted &&
  attempt.startedAt >= (row.startedAt ?? 0)
    ? attempt
    : undefined

/** The attempt that a commit belongs to: the one to resume, or the next. */
const attemptNumber = ([latest]: Attempt[], attempt: Attempt | undefined) =>
  attempt?.number ?? (latest?.number ?? 0) + 1

/** Identifies a launch, and names the attempt that it plays. */
const createSessionKey = (attempt: number) => `${attempt}.${randomToken().slice(0, 16)}`

/** Whether a session plays an attempt before this one: a reset ends the sessions that are open. */
const isEndedSession = (sessionKey: string, attempt: number) => Number(/^(\d+)\./.exec(sessionKey)?.[1]) < attempt

/** @throws 409 if the module has no package */
function requirePackage<
  P extends { scormVersion: ScormVersion | null; packageKey: string | null; launchPath: string | null },
>({ scormVersion, packageKey, launchPath }: P) {
  if (scormVersion === null || packageKey === null || launchPath === null)
    throw conflict("package_required", "This module has no SCORM package yet.")
  return { version: scormVersion, packageKey, launchPath }
}

/** Encodes the path segments; query and fragment are not changed. */
function urlPath(launchPath: string): string {
  const [path = ""] = launchPath.split(/[?#]/)
  return path.split("/").map(encodeURIComponent).join("/") + launchPath.slice(path.length)
}

/**
 * Returns what a player needs: the URL of the package and the data of the attempt to resume.
 * @param base the origin of the service, whose pages play the package
 * @throws 404; 409 if the module is not open, or no content origin is configured
 */
export async function launchPackage(
  db: Database,
  caller: Caller,
  { env, base }: { env: Bindings; base: string },
  ref: ModuleRef,
) {
  const moduleKey = resolveModule(ref)
  const [found, rows, attempts, people] = await db.batch([
    ...selectModuleProgress(db, caller, "scorm", moduleKey),
    selectLatestAttempt(db, moduleKey),
    db
      .select({ id: users.id, firstName: users.firstName, lastName: users.lastName })
      .from(users)
      .where(
        eq(
          users.id,
          subquery(
            sql`(select ${enrollments.userId} from ${enrollments} where ${enrollments.id} = ${moduleKey.enrollmentId})`,
          ),
        ),
      ),
  ])
  const { registration, row, lockError } = requireModuleAccess(found, rows[0], "scorm")
  if (lockError) throw lockError
  const { version, packageKey, launchPath } = requirePackage(registration)
  const attempt = resumableAttempt(attempts, row, version)
  const { id, firstName, lastName } = firstRow(people)
  const content = contentOrigin(env, base)
  if (content === undefined)
    throw conflict(
      "content_origin_required",
      "SCORM packages need a separate content origin. Ask your administrator to configure CONTENT_ORIGIN.",
    )
  const player = new URL(base).origin
  const token = createContentToken(env, { scorm: packageKey, version, file: urlPath(launchPath), content, player })
  return {
    launchUrl: `${content}/scorm/${token}/`,
    commitUrl: `${base}/api/scorm/commit?${new URLSearchParams({
      registrationId: String(registration.enrollmentId),
      moduleId: String(registration.moduleId),
      session: createSessionKey(attemptNumber(attempts, attempt)),
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
 * Stores what a package committed, and opens or completes the module.
 * @param base the origin of links in mails, without a trailing slash
 * @param sessionKey from the launch's commit URL; empty if the runtime sent none
 * @throws 404; 409 if the module is not open, or was reset since the launch; 422 for invalid SCORM data
 */
export async function commitRunTime(
  work: UnitOfWork,
  base: string,
  ref: ModuleRef,
  input: Record<string, unknown>,
  sessionKey: string,
) {
  if ((ref.statusRowId ?? 0) < 1 && (ref.registrationId === undefined || ref.moduleId === undefined))
    throw invalid(
      "statusRowId",
      "statusRowId is required, or registrationId and moduleId if there is no status row yet.",
    )
  const cmi = flattenCmi(input)
  const interactions = readInteractions(cmi)
  const { db, caller } = work
  const moduleKey = resolveModule(ref)
  const [attemptIds, found, rows, attempts] = await work.read([
    work.nextIds("scorm_attempts"),
    ...selectModuleProgress(db, caller, "scorm", moduleKey),
    selectLatestAttempt(db, moduleKey),
  ])
  const { registration, row, lockError } = requireModuleAccess(found, rows[0], "scorm")
  if (lockError) throw lockError
  const { version } = requirePackage(registration)
  const attempt = resumableAttempt(attempts, row, version)
  const number = attemptNumber(attempts, attempt)
  if (isEndedSession(sessionKey, number))
    throw conflict("conflict", `${registration.name} was reset or replaced since it was launched. Launch it again.`)
  const { session, total, ...state } = readAttemptState(version, cmi)
  const previousTime = {
    totalTime: attempt?.totalTime ?? 0,
    sessionTime: attempt?.sessionTime ?? 0,
    sessionKey: attempt?.sessionKey ?? "",
  }
  const newTime = addSessionTime(previousTime, { session, total }, sessionKey)
  const seconds = Math.round(newTime.totalTime) - Math.round(previousTime.totalTime)
  const missing = row.minTimeSpent - (row.timeSpent ?? 0) - seconds
  const isFinished = isCompleted(state)
  const completed = isFinished && missing <= 0
  const at = now()
  const { enrollmentId, moduleId } = registration
  const id = attempt?.id ?? firstRow(attemptIds).last
  const statusRowId = toStatusRowId(registration)
  const columns = { ...state, ...newTime, cmi, lastAccessedAt: at }
  const previousCmi = attempt?.cmi ?? {}
  const previousState = readAttemptState(version, previousCmi)
  const isStatusChanged =
    previousState.completionStatus !== state.completionStatus || previousState.successStatus !== state.successStatus
  const status = completed || row.status === ModuleStatus.Completed ? ModuleStatus.Completed : ModuleStatus.InProgress
  return work.commit(
    [
      guardEnrollmentExists(work, registration),
      ...advanceModule(work, registration, {
        moduleId,
        completed,
        points: toPoints(state),
        opened: !attempt,
        seconds,
        startedAt: at,
        at,
      }),
      ...(completed && row.status !== ModuleStatus.Completed ? queueCompletionMail(work, base, enrollmentId, at) : []),
      ...(attempt ? [guardAttemptUnchanged(work, attempt)] : []),
      attempt
        ? db.update(scormAttempts).set(columns).where(eq(scormAttempts.id, id))
        : db.insert(scormAttempts).values({
            id,
            enrollmentId,
            moduleId,
            statusRowId,
            number,
            scormVersion: version,
            startedAt: at,
            ...columns,
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
      // Runtimes commit every few seconds: only new attempts and status changes are audited.
      ...(!attempt || isStatusChanged
        ? [
            work.audit(
              attempt ? "updated" : "created",
              "scorm attempt",
              { id, name: registration.name },
              { userId: registration.userId, attempt: number, ...state },
            ),
          ]
        : []),
    ],
    {
      message:
        isFinished && missing > 0
          ? `Committed. Spend ${pluralize(missing, "more second")} in the module to complete it.`
          : "Committed.",
      result: true as const,
      errorCode: 0 as const,
      statusRowId,
      attempt: number,
      status,
      completion_status: state.completionStatus,
      success_status: state.successStatus,
    },
    {
      ...RETRY_ON_CONFLICT,
      marker: () =>
        rowExists(scormAttempts, sql`${scormAttempts.id} = ${id} and ${scormAttempts.lastAccessedAt} = ${at}`),
    },
  )
}
