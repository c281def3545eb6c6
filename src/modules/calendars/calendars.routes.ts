import { z } from "@hono/zod-openapi"
import { etag } from "hono/etag"
import { messageResponse } from "../../http/crud.ts"
import { errorAnswer } from "../../http/error-responses.ts"
import { createApp, operation } from "../../http/operation.ts"
import { notFound } from "../../lib/errors.ts"
import { siteName } from "../../lib/web/academy.ts"
import { baseUrl } from "../../lib/web/answers.ts"
import { createCalendarFile } from "../classes/calendar.ts"
import { readCalendar } from "./calendar-feed.queries.ts"
import { createCalendar, deleteCalendar, getCalendar } from "./calendars.queries.ts"
import * as schemas from "./calendars.schemas.ts"

export const calendars = createApp()

const own = { tag: "Classes", access: "general", signedIn: true, keys: "none", extension: true } as const

calendars.openapi(
  operation({
    ...own,
    operationId: "getCalendar",
    method: "get",
    path: "/api/me/calendar",
    summary: "Retrieve the status of the caller's calendar subscription",
    description: "The address itself was shown when it was created.",
    response: schemas.calendarState,
  }),
  async (c) => c.json(await getCalendar(c.var.work), 200),
)

calendars.openapi(
  operation({
    ...own,
    operationId: "createCalendar",
    method: "post",
    path: "/api/me/calendar/create",
    summary: "Create or replace the caller's calendar subscription",
    description: [
      "Returns the secret URL of a calendar with all classes that the caller attends or teaches. It is shown once.",
      "The previous URL ends. Anyone with the URL can read the calendar. It ends when the user is disabled.",
    ].join(" "),
    response: schemas.createdCalendar,
  }),
  async (c) => c.json(await createCalendar(c.var.work, baseUrl(c)), 200),
)

calendars.openapi(
  operation({
    ...own,
    operationId: "deleteCalendar",
    method: "post",
    path: "/api/me/calendar/delete",
    summary: "End the caller's calendar subscription",
    response: messageResponse,
  }),
  async (c) => c.json(await deleteCalendar(c.var.work), 200),
)

calendars.get("/calendar/:file{[\\w-]{43}\\.ics}", etag(), async (c) => {
  const base = baseUrl(c)
  const calendar = await readCalendar(c.var.db, c.req.param("file").slice(0, -".ics".length), { env: c.env, base })
  if (!calendar) throw notFound("calendar")
  const name = siteName(c.env, calendar.site)
  const options = { host: new URL(base).hostname, name, language: calendar.language }
  return c.body(await createCalendarFile(calendar.events, options), 200, {
    "content-type": "text/calendar; charset=utf-8",
    "cache-control": "private, max-age=300",
  })
})

calendars.openAPIRegistry.registerPath({
  operationId: "readCalendar",
  method: "get",
  path: "/calendar/{subscription}.ics",
  summary: "Read a calendar subscription",
  description: [
    "An iCalendar file (RFC 5545) for calendar applications, with an ETag.",
    "A class that the person left, and a deleted one, is canceled in it (`STATUS:CANCELLED`) for 30 days.",
  ].join(" "),
  tags: ["Classes"],
  security: [],
  request: { params: z.object({ subscription: z.string() }) },
  responses: {
    200: {
      description: "The calendar",
      content: { "text/calendar": { schema: { type: "string", format: "binary" } } },
    },
    304: { description: "Not modified" },
    404: errorAnswer(404),
    429: errorAnswer(429),
  },
})
