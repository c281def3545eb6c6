import { z } from "@hono/zod-openapi"
import { NOTIFICATION_KINDS } from "../../../drizzle/schema/notifications.ts"
import { id, language, line, optional, requiredText } from "../../lib/input/input.ts"

const portalId = () =>
  optional(id()).openapi({
    type: "integer",
    description: "The portal whose members get the text; absent or null: everyone",
  })

export const kindParams = z.object({
  kind: z.enum(NOTIFICATION_KINDS).openapi({ param: { name: "kind", in: "path", required: true } }),
})

export const templateQuery = z.object({ portalId: portalId(), language: optional(language()) })
export type TemplateQuery = z.output<typeof templateQuery>

const text = {
  subject: line(200).pipe(z.string().min(1)).openapi({ type: "string", minLength: 1, maxLength: 200 }),
  body: requiredText(10_000).openapi({
    type: "string",
    minLength: 1,
    maxLength: 10_000,
    description: "Markdown: paragraphs, headings, lists, quotes, bold, italics and links, with {{variables}}",
  }),
}

export const templateChanges = z.object({ portalId: portalId(), language: optional(language()), ...text })
export type TemplateChanges = z.output<typeof templateChanges>

export const templateReset = z.object({ portalId: portalId(), language: optional(language()) })

export const templatePreview = z.object({
  portalId: portalId(),
  language: optional(language()),
  subject: optional(text.subject).openapi({ type: "string", description: "Default: the text that applies" }),
  body: optional(text.body).openapi({ type: "string", description: "Default: the text that applies" }),
  userId: optional(id()).openapi({ type: "integer", description: "The person to show it for. Default: the caller" }),
})
export type TemplatePreview = z.output<typeof templatePreview>

const variables = z
  .record(z.string(), z.enum(["text", "date", "time", "url"]))
  .openapi({ description: "The variables that the text may have, with their types" })

export const templateResponse = z
  .object({
    kind: z.enum(NOTIFICATION_KINDS),
    portalId: z.number().int().nullable().openapi({ description: "null: everyone" }),
    language: z.string(),
    subject: z.string(),
    body: z.string(),
    isCustom: z.boolean().openapi({ description: "false: it is the text that applies without one of its own" }),
    variables,
    updatedAt: z.string().nullable().openapi({ format: "date-time" }),
  })
  .openapi("NotificationTemplate")

export const templateList = z.object({
  records: z.array(
    z.object({
      kind: z.enum(NOTIFICATION_KINDS),
      variables,
      custom: z
        .array(z.object({ portalId: z.number().int().nullable(), language: z.string(), updatedAt: z.string() }))
        .openapi({ description: "The academy's own texts" }),
    }),
  ),
  languages: z.array(z.string()).openapi({ description: "The languages with built-in texts" }),
})

export const previewResponse = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string(),
  language: z.string(),
})
