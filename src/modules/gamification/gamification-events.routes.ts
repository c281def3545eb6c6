import { recordOperations } from "../../http/crud.ts"
import { createApp } from "../../http/operation.ts"
import { expectedVersion, withEtag } from "../../lib/web/etag.ts"
import { listPage } from "../../lib/web/list-answer.ts"
import { eventColumns } from "./gamification-event-fields.ts"
import { createEvent, deleteEvents, getEvent, listEvents, updateEvent } from "./gamification-events.queries.ts"
import * as schemas from "./gamification-events.schemas.ts"

export const gamificationEvents = createApp()

const operations = recordOperations({
  tag: "Badges",
  names: ["a gamification event", "gamification events"],
  paths: {
    create: "/api/gamification-event/create",
    list: "/api/gamification-event/tabularlist",
    record: "/api/gamification-event/{id}",
    delete: "/api/gamification-event/delete",
  },
  access: { read: "staff", change: "staff" },
  newRecord: schemas.newEvent,
  changes: schemas.eventChanges,
  listQuery: schemas.eventListQuery,
  list: schemas.eventList,
  record: schemas.event,
  describe: {
    create: [
      "Awards points, a badge or both to users who complete a course or learning path, pass a quiz, have an assignment",
      "accepted, attend a class or sign in: once for each record, and once a day for a login.",
    ].join(" "),
    remove: "Existing awards stay.",
  },
})

gamificationEvents.openapi(operations.create, async (c) =>
  c.json(await createEvent(c.var.work, c.req.valid("json")), 200),
)

gamificationEvents.openapi(operations.list, async (c) =>
  c.json(listPage(c, await listEvents(c.var.db, c.req.valid("query")), eventColumns.toRow), 200),
)

gamificationEvents.openapi(operations.read, async (c) =>
  c.json(withEtag(c, await getEvent(c.var.db, c.req.valid("param").id), eventColumns.toRow), 200),
)

gamificationEvents.openapi(operations.change, async (c) =>
  c.json(await updateEvent(c.var.work, c.req.valid("param").id, c.req.valid("json"), expectedVersion(c)), 200),
)

gamificationEvents.openapi(operations.remove, async (c) =>
  c.json(await deleteEvents(c.var.work, c.req.valid("json").delete_ids), 200),
)
