import { z } from "@hono/zod-openapi"
import { BACKGROUND_JOB_STATUSES } from "../../../drizzle/schema/background-jobs.ts"

export const jobPath = z.object({ id: z.string().openapi({ param: { name: "id", in: "path", required: true } }) })

export const jobState = z
  .object({
    id: z.string(),
    kind: z.string().openapi({ description: "The type of the job, such as `course.recount`" }),
    status: z.enum(BACKGROUND_JOB_STATUSES),
    progress: z.number().int().min(0).max(100).openapi({ description: "Percentage of the rows; never decreases" }),
    message: z.string(),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  })
  .openapi("JobState")
