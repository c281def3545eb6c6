import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { EVENT_TYPES, gamificationEvents as events } from "../../../drizzle/schema/gamification-events.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"

/** The columns of the list of gamification events; an event by itself is answered alike. */
export const eventColumns = listColumns({
  id: integerColumn(events.id),
  name: nameColumn(events.name),
  type: column(events.type, z.enum(EVENT_TYPES), { sort: events.type }),
  targetId: column(events.targetId, z.number().int().nullable(), { show: (id) => id || null, sort: events.targetId }),
  badgeId: column(events.badgeId, z.number().int().nullable(), {
    sort: { sorted: sql`coalesce(${events.badgeId}, 0)` },
  }),
  points: integerColumn(events.points),
  active: column(events.active, z.boolean(), { sort: events.active }),
  created_at: dateColumn(events.createdAt),
})
