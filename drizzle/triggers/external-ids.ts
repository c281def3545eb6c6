import { classes } from "../schema/classes.ts"
import { courses } from "../schema/courses.ts"
import type { ExternalIdObject } from "../schema/external-ids.ts"
import { groups } from "../schema/groups.ts"
import { users } from "../schema/users.ts"
import { trigger } from "./declare.ts"

const TABLES = { user: users, course: courses, group: groups, class: classes } satisfies Record<
  ExternalIdObject,
  object
>

/** The external ids of a record are deleted with it. */
export const externalIdTriggers = Object.entries(TABLES).map(([object, table]) =>
  trigger(
    `external_ids_${object}_deleted`,
    { on: table, after: "delete" },
    `DELETE FROM external_ids WHERE object = '${object}' AND object_id = old.id`,
  ),
)
