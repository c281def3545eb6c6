import { z } from "@hono/zod-openapi"

export const calendarState = z
  .object({
    active: z.boolean().openapi({ description: "Whether there is a subscription URL" }),
    createdAt: z
      .string()
      .nullable()
      .openapi({ format: "date-time", description: "ISO 8601; null without a subscription" }),
  })
  .openapi("CalendarState")

export const createdCalendar = z
  .object({
    message: z.string(),
    url: z.string().openapi({ description: "The secret address of the calendar, shown once" }),
    webcalUrl: z.string().openapi({ description: "The same for calendar applications: webcal://…" }),
  })
  .openapi("CreatedCalendar")
