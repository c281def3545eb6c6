import { z } from "@hono/zod-openapi"
import { sql } from "drizzle-orm"
import { EVENT_TYPES, gamificationEvents as events } from "../../../drizzle/schema/gamification-events.ts"
import { boolean, choice, clearable, id, integer, keepIfNone, keepIfNull, name } from "../../lib/input/input.ts"
import { column, listColumns } from "../../lib/spreadsheet/columns.ts"
import { integerColumn, nameColumn, sortedIntegerColumn } from "../../lib/spreadsheet/common-columns.ts"
import { dateColumn } from "../../lib/spreadsheet/date-columns.ts"
import { recordFields } from "../../lib/spreadsheet/fields.ts"
import { MAX_POINTS } from "./badge-fields.ts"

const idOrNull = () => z.number().int().nullable()

export const eventFields = recordFields(events, {
  name: { create: name(), change: keepIfNull(name()), answer: nameColumn(events.name), searched: true },
  type: {
    create: choice(EVENT_TYPES),
    change: keepIfNone(choice(EVENT_TYPES)),
    answer: column(events.type, z.enum(EVENT_TYPES), { sort: { sorted: events.type } }),
  },
  targetId: {
    create: clearable(id(), 0).openapi({
      type: ["integer", "null"],
      description: "Id of the course, learning path, module or class; null or 0: any. A login has none",
    }),
    answer: column(events.targetId, idOrNull(), {
      show: (target) => target || null,
      sort: { sorted: events.targetId },
    }),
  },
  badgeId: {
    create: clearable(id()).openapi({
      type: ["integer", "null"],
      description: "The badge to award, with its points",
    }),
    answer: column(events.badgeId, idOrNull(), { sort: { sorted: sql`coalesce(${events.badgeId}, 0)` } }),
  },
  points: {
    create: clearable(integer(0, MAX_POINTS), 0).openapi({
      description: "Points in addition to those of the badge. Defaults to 0",
    }),
    answer: sortedIntegerColumn(events.points),
  },
  active: {
    create: keepIfNone(boolean()).openapi({
      type: "boolean",
      description: "Defaults to true; false: nothing is awarded",
    }),
    answer: column(events.active, z.boolean(), { sort: { sorted: events.active } }),
  },
})

/** The columns of a gamification event, alone and in the list. */
export const eventColumns = listColumns({
  id: integerColumn(events.id),
  ...eventFields.answers,
  created_at: dateColumn(events.createdAt, { sorted: events.createdAt }),
})
