import { createApp, operation } from "../../http/operation.ts"
import { readFeed } from "./events.queries.ts"
import * as schemas from "./events.schemas.ts"

export const events = createApp()

events.openapi(
  operation({
    operationId: "listEvents",
    method: "get",
    path: "/api/events",
    summary: "Read what happened",
    description: [
      "Every event in order, each once: ask again with the answer's `cursor` as `after`.",
      "An answer without events may still have a new cursor: of few types, it tells how far was looked.",
      "Events are kept for 30 days; a cursor from before that is answered with 410.",
    ].join(" "),
    tag: "Events",
    access: "admin",
    extension: true,
    query: schemas.eventQuery,
    answer: schemas.eventFeed,
    errors: [410],
  }),
  async (c) => c.json(await readFeed(c.var.db, c.req.valid("query")), 200),
)
