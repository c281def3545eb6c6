import { z } from "@hono/zod-openapi"
import { clearable, email, language, line, timeZone } from "../../lib/input/input.ts"
import { contrastOf } from "../../lib/web/brand.ts"
import { logoUrl } from "./logo.ts"

const lowered = (value: unknown) => (typeof value === "string" ? value.trim().toLowerCase() : value)

/** @param contrast the least contrast ratio with white */
const color = (contrast: number) =>
  z
    .preprocess(
      lowered,
      z
        .string()
        .regex(/^#[0-9a-f]{6}$/, { error: "must be a color such as #1a2b3c", abort: true })
        .refine((value) => contrastOf(value, "#ffffff") >= contrast, {
          error: `must have a contrast of ${contrast}:1 or more with white`,
        }),
    )
    .openapi({ type: "string", example: "#1a2b3c" })

export const settingsChanges = z.object({
  name: clearable(line(100)),
  logoUrl: clearable(logoUrl()),
  primaryColor: clearable(color(4.5)),
  secondaryColor: clearable(color(3)),
  senderName: clearable(line(100)),
  replyTo: clearable(email()),
  timeZone: clearable(timeZone()),
  language: clearable(language()),
})
export type SettingsChanges = z.output<typeof settingsChanges>

const SOURCES = ["setting", "environment", "default"] as const
const source = z.enum(SOURCES)
const nullableText = () => z.string().nullable()

export const settingsResponse = z
  .object({
    name: nullableText(),
    logoUrl: nullableText(),
    primaryColor: nullableText(),
    secondaryColor: nullableText(),
    senderName: nullableText(),
    replyTo: nullableText(),
    timeZone: nullableText(),
    language: nullableText(),
    effective: z
      .object({ name: z.string(), senderName: z.string(), timeZone: z.string(), language: z.string() })
      .openapi({ description: "The values that apply where a setting is null" }),
    source: z
      .object({ name: source, senderName: source, timeZone: source, language: source })
      .openapi({ description: "Where the effective values come from" }),
    updatedAt: nullableText().openapi({ format: "date-time" }),
  })
  .openapi("Settings")
