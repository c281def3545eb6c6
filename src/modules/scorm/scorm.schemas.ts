import { z } from "@hono/zod-openapi"
import { SCORM_VERSIONS } from "../../../drizzle/schema/modules.ts"
import { COMPLETION_STATUSES, SUCCESS_STATUSES } from "../../../drizzle/schema/scorm.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { json, optional, text } from "../../lib/input/input.ts"
import { moduleRef, requireRef } from "../assessments/quizzes.schemas.ts"

const whole = () => z.number().int()

export const launchQuery = z.object(moduleRef).superRefine(requireRef)

export const scormLaunch = z
  .object({
    launch_url: z.string().openapi({
      description: "A page of another origin, to be framed by a page of this one: it plays the package; for 12 hours",
    }),
    commit_url: z.string().openapi({ description: "Where the runtime commits this session (lmsCommitUrl)" }),
    version: z.enum(SCORM_VERSIONS),
    statusRowId: whole().openapi({ description: "-1 when no status exists" }),
    registrationId: whole(),
    moduleId: whole(),
    attempt: whole().openapi({ description: "The attempt that goes on, from 1; 0: a new one" }),
    cmi: z.record(z.string(), z.string()).openapi({
      description: "What the runtime begins with: element (cmi.suspend_data) to value",
    }),
  })
  .openapi("ScormLaunch")

export const commitQuery = z.object({
  ...moduleRef,
  session: optional(text(64)).openapi({ type: "string", description: "As the launch's commit_url has it" }),
})

/** Runtimes send `{cmi: {…}}`, or every element as a member of the body; the latter is folded into the former. */
function foldElements(body: unknown): unknown {
  if (typeof body !== "object" || body === null || Array.isArray(body) || "cmi" in body) return body
  const elements = Object.entries(body).filter(([name]) => name.startsWith("cmi."))
  return elements.length > 0 ? { ...body, cmi: Object.fromEntries(elements) } : body
}

export const scormCommit = z
  .preprocess(
    foldElements,
    z.object({
      ...moduleRef,
      cmi: z.record(z.string(), json()).openapi({
        description:
          "The data model of SCORM 1.2 or 2004, as flat keys (cmi.core.lesson_status), nested objects or both",
      }),
    }),
  )
  .openapi("ScormCommit")

export const scormCommitted = z
  .object({
    message: z.string(),
    result: z.literal(true).openapi({ description: "With errorCode, what a runtime asks its service for" }),
    errorCode: z.literal(0),
    statusRowId: whole(),
    attempt: whole(),
    status: z
      .enum([ModuleStatus.InProgress, ModuleStatus.Completed])
      .openapi({ description: "The module's, after the commit" }),
    completion_status: z.enum(COMPLETION_STATUSES),
    success_status: z.enum(SUCCESS_STATUSES),
  })
  .openapi("ScormCommitted")
