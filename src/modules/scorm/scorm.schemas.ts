import { z } from "@hono/zod-openapi"
import { SCORM_VERSIONS } from "../../../drizzle/schema/modules.ts"
import { COMPLETION_STATUSES, SUCCESS_STATUSES } from "../../../drizzle/schema/scorm.ts"
import { ModuleStatus } from "../../../drizzle/statuses.ts"
import { json, optional, text } from "../../lib/input/input.ts"
import { moduleRef, requireRef } from "../assessments/quizzes.schemas.ts"

const integerAnswer = () => z.number().int()

export const launchQuery = z.object(moduleRef).superRefine(requireRef)

export const scormLaunch = z
  .object({
    launch_url: z.string().openapi({
      description: "A page on another origin that plays the package, to be embedded in a frame. Valid for 12 hours",
    }),
    commit_url: z.string().openapi({ description: "The URL for this session's commits (lmsCommitUrl)" }),
    version: z.enum(SCORM_VERSIONS),
    statusRowId: integerAnswer().openapi({ description: "-1 if the module was never opened" }),
    registrationId: integerAnswer(),
    moduleId: integerAnswer(),
    attempt: integerAnswer().openapi({ description: "The attempt to resume, starting at 1; 0 for a new one" }),
    cmi: z.record(z.string(), z.string()).openapi({
      description: "The runtime's initial data: maps elements, such as cmi.suspend_data, to values",
    }),
  })
  .openapi("ScormLaunch")

export const commitQuery = z.object({
  ...moduleRef,
  session: optional(text(64)).openapi({ type: "string", description: "From the launch's commit_url" }),
})

/** Runtimes send `{cmi: {…}}` or the elements as members of the body; converts the latter to the former. */
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
    result: z.literal(true).openapi({ description: "Required by runtimes, with errorCode" }),
    errorCode: z.literal(0),
    statusRowId: integerAnswer(),
    attempt: integerAnswer(),
    status: z
      .enum([ModuleStatus.InProgress, ModuleStatus.Completed])
      .openapi({ description: "The module's status after the commit" }),
    completion_status: z.enum(COMPLETION_STATUSES),
    success_status: z.enum(SUCCESS_STATUSES),
  })
  .openapi("ScormCommitted")
