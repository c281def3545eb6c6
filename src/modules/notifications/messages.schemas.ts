import { z } from "@hono/zod-openapi"
import { line, nonEmpty, requiredIds, requiredText } from "../../lib/input/input.ts"

/** The number of people that one call names. */
const MAX_RECIPIENTS = 500
const MAX_SUBJECT = 200
const MAX_TEXT = 5000

export const message = z
  .object({
    user_ids: nonEmpty(requiredIds(MAX_RECIPIENTS)).openapi({
      description: `Up to ${MAX_RECIPIENTS} people. Those that the caller may not message are skipped.`,
    }),
    subject: line(MAX_SUBJECT).pipe(z.string().min(1, { error: "is required" })),
    text: requiredText(MAX_TEXT).openapi({ description: "Plain text. Empty lines separate paragraphs" }),
  })
  .openapi("MessageToPeople")
export type Message = z.output<typeof message>

const count = () => z.number().int()
export const messageSent = z.object({
  message: z.string(),
  sent: count().openapi({ description: "The people who were notified, each as they chose" }),
  skipped: count().openapi({
    description: "Unknown and disabled people, the caller, and those that the caller may not message",
  }),
})
